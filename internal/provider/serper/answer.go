package serper

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// envelope is the part that every answer may have: the question repeated, or Serper's way to refuse.
type envelope struct {
	Echo       *echo       `json:"searchParameters"`
	StatusCode int         `json:"statusCode"`
	Message    wire.Text   `json:"message"`
	Error      wire.Text   `json:"error"`
	Credits    wire.Number `json:"credits"` // what the answer took of the account's

	asked echo
}

// billed is an answer that tells what it took.
type billed interface {
	provider.Answer
	credits() int
}

// credits are what the answer says, within reason, or else what its type usually takes.
func (e *envelope) credits() int {
	if e.Credits > 0 && e.Credits <= 1000 {
		return int(e.Credits)
	}
	if e.asked.Type == "maps" {
		return mapCredits
	}
	return searchCredits
}

// echo is the question as Serper repeats it: the only mark by which an empty answer is told from a failed one.
type echo struct {
	Type    wire.Text `json:"type"`
	Q       wire.Text `json:"q"`
	LL      wire.Text `json:"ll"`
	PlaceID wire.Text `json:"placeId"`
	CID     wire.Text `json:"cid"`
}

// Verify wants the question repeated, and no refusal beside it.
func (e *envelope) Verify() error {
	switch {
	case e.Message != "" || e.Error != "" || e.StatusCode >= 400:
		return errors.New("a refusal inside a success")
	case e.Echo == nil:
		return errors.New("searchParameters is missing")
	case !e.Echo.repeats(e.asked):
		return errors.New("searchParameters are those of another question")
	}
	return nil
}

// repeats leaves room for how a look-up is repeated, of which there is no record: an id may be left out. So may the
// point, but where it is told it is the one asked.
func (e echo) repeats(asked echo) bool {
	return e.Type == asked.Type && e.Q.Same(asked.Q) && (e.LL == "" || provider.SameViewport(string(e.LL), string(asked.LL))) &&
		(e.PlaceID == "" || e.PlaceID == asked.PlaceID) && (e.CID == "" || e.CID == asked.CID)
}

type mapsAnswer struct {
	envelope
	Places wire.List[place] `json:"places"`
}

// Verify also wants rows that say who they are: one without any id happens, none with an id is another format.
func (a *mapsAnswer) Verify() error {
	known := func(r place) bool { return r.PlaceID != "" || r.cid() != "" }
	if len(a.Places) > 0 && !slices.ContainsFunc(a.Places, known) {
		return errors.New("no place has an id")
	}
	return a.envelope.Verify()
}

type place struct {
	Title       wire.Text       `json:"title"`
	Address     wire.Text       `json:"address"`
	Latitude    wire.Number     `json:"latitude"`
	Longitude   wire.Number     `json:"longitude"`
	Rating      wire.Number     `json:"rating"`
	RatingCount wire.Number     `json:"ratingCount"`
	Type        wire.Text       `json:"type"`
	Types       []wire.Text     `json:"types"`
	Website     wire.Text       `json:"website"`
	PhoneNumber wire.Text       `json:"phoneNumber"`
	CID         wire.Text       `json:"cid"`
	FID         wire.Text       `json:"fid"`
	PlaceID     wire.Text       `json:"placeId"`
	Hours       json.RawMessage `json:"openingHours"` // by day, both in the language asked; read of a look-up only
	Sponsored   bool            `json:"sponsored"`    // in no recording; should Serper ever tell of ads, they take no rank
}

type searchAnswer struct {
	envelope
	Organic         wire.List[result] `json:"organic"`
	AnswerBox       *result           `json:"answerBox"`
	KnowledgeGraph  *result           `json:"knowledgeGraph"`
	Places          []place           `json:"places"`
	LocalPack       []place           `json:"localPack"`
	TopStories      []result          `json:"topStories"`
	PeopleAlsoAsk   []result          `json:"peopleAlsoAsk"`
	Images          []result          `json:"images"`
	Videos          []result          `json:"videos"`
	Shopping        []result          `json:"shopping"`
	RelatedSearches []struct {
		Query wire.Text `json:"query"`
	} `json:"relatedSearches"`
}

// Verify also wants results that lead somewhere.
func (a *searchAnswer) Verify() error {
	if len(a.Organic) > 0 && !slices.ContainsFunc(a.Organic, func(r result) bool { return r.Link != "" }) {
		return errors.New("no organic result has a link")
	}
	return a.envelope.Verify()
}

// result is any of the parts of a result page; each uses some of the fields.
type result struct {
	Title       wire.Text `json:"title"`
	Link        wire.Text `json:"link"`
	Snippet     wire.Text `json:"snippet"`
	Description wire.Text `json:"description"`
	Question    wire.Text `json:"question"`
	Answer      wire.Text `json:"answer"`
	Website     wire.Text `json:"website"`
	Source      wire.Text `json:"source"`
	Sitelinks   []result  `json:"sitelinks"`
}
