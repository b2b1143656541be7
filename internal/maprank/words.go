package maprank

import (
	"maps"

	"github.com/trigpoint/trigpoint/internal/httpapi"
)

var exampleSeries = map[string]any{"2026-11-08T06:00:00Z": 4.2}

var exampleCampaign = map[string]any{
	"name": "Decatur Deli", "keywords": []any{"coffee", "espresso bar"},
	"gridSettings":        map[string]any{"template": "5x5", "unit": "KM", "distance": 1.5},
	"collectingFrequency": map[string]any{"frequency": "WEEKLY", "interval": 1, "positions": []any{1, 4}, "time": "06:00", "enable": true},
}

// Words say what the names of the area mean.
var Words = httpapi.Words{
	"create-campaign": {Example: with(exampleCampaign, "placeId", "ChIJjQmTaV0E9YgRC2MLmS_e_mY")},
	"update-campaign": {Example: exampleCampaign},

	"campaign_id": {Doc: "Identifier of the campaign.", Example: "0199d8a4-c3f0-7c1e-9b2a-5d6e7f801234"},
	"campaignId":  {Doc: "Identifier of the campaign.", Example: "0199d8a4-c3f0-7c1e-9b2a-5d6e7f801234"},
	"keywordId":   {Doc: "Identifier of a keyword of the campaign.", Example: "0199d8a4-c3f0-7c1e-9b2a-5d6e7f805678"},
	"reportDate":  {Doc: "Instant of a report, ISO 8601 with a zone.", Example: "2026-11-08T06:00:00Z"},

	"id":                  {Doc: "Identifier.", Example: "0199d8a4-c3f0-7c1e-9b2a-5d6e7f801234"},
	"userId":              {Doc: "The account that owns it.", Example: "0199d8a4-c3f0-7c1e-9b2a-5d6e7f80aaaa"},
	"name":                {Doc: "Name.", Example: "Decatur Deli"},
	"status":              {Doc: "How far its newest collection is.", Example: "COLLECTED"},
	"statusUpdatedAt":     {Doc: "When the status was set.", Example: "2026-11-08T06:00:12.5Z"},
	"statusDetail":        {Doc: "What went wrong with the last collection, if anything did.", Example: "2 of 25 points could not be collected."},
	"createdAt":           {Doc: "When it was made.", Example: "2026-03-02T12:00:00Z"},
	"countryCode":         {Doc: "ISO 3166-1 alpha-2 code of the country.", Example: "US"},
	"sharingStatus":       {Doc: "Who may see the campaign, and you among them."},
	"accessType":          {Doc: "What you may do with it.", Example: "OWNER"},
	"ownerEmail":          {Doc: "Email of the account that owns it.", Example: "you@example.com"},
	"sharesCount":         {Doc: "Other accounts that see it.", Example: 0},
	"collectingFrequency": {Doc: "When it is collected by itself; absent when collected by hand only."},
	"frequency":           {Doc: "What a period is.", Example: "WEEKLY"},
	"interval":            {Doc: "Every so many periods.", Example: 1},
	"positions":           {Doc: "Days: 1 is Monday for WEEKLY, days of the month for MONTHLY.", Example: []any{1, 4}},
	"time":                {Doc: "HH:MM, on the clock of the business.", Example: "06:00"},
	"enable":              {Doc: "Whether the schedule runs.", Example: true},
	"keywords":            {Doc: "What is searched for.", Example: "coffee"},
	"gridSettings":        {Doc: "The grid; absent when the points are the user's own."},
	"template":            {Doc: "Points along and across.", Example: "5x5"},
	"unit":                {Doc: "Of the distance.", Example: "KM"},
	"distance":            {Doc: "From the centre to the outermost row or column.", Example: 1.5},
	"basePoint":           {Doc: "Centre of the grid."},
	"points":              {Doc: "Where is searched."},
	"index":               {Doc: "Number of the point: from the south-west corner eastward, then northward.", Example: 0},
	"isEnabled":           {Doc: "Whether it is searched at.", Example: true},
	"coordinates":         {Doc: "Where it is."},
	"lat":                 {Doc: "Latitude in degrees.", Example: 33.7744675},
	"lng":                 {Doc: "Longitude in degrees.", Example: -84.2950871},
	"lastReportDate":      {Doc: "Instant of the newest report.", Example: "2026-11-08T06:00:00Z"},
	"nextReportDate":      {Doc: "When it is collected next by itself.", Example: "2026-11-15T11:00:00Z"},
	"reportDates":         {Doc: "Instants of its reports, newest first.", Example: "2026-11-08T06:00:00Z"},
	"markedForRemovalAt":  {Doc: "When it is removed, because the plan has no slot for it.", Example: "2026-11-29T00:00:00Z"},
	"business":            {Doc: "The business."},
	"projectMetrics":      {Doc: "Means over the keywords of the last report; empty before it."},
	"keywordsNumber":      {Doc: "Keywords.", Example: 2},
	"pointsNumber":        {Doc: "Points, switched off ones too.", Example: 25},
	"cid":                 {Doc: "The business's number in map search, unsigned decimal; empty when it is not known.", Example: "7421389163372044043"},
	"placeIds":            {Doc: "Its place ids.", Example: "ChIJjQmTaV0E9YgRC2MLmS_e_mY"},
	"placeId":             {Doc: "Place id of the business.", Example: "ChIJjQmTaV0E9YgRC2MLmS_e_mY"},
	"address":             {Doc: "Address in one line.", Example: "1 Main Street, Decatur, GA 30030"},
	"rating":              {Doc: "Mean rating, 1 to 5; absent when it is not known.", Example: 4.6},
	"reviewNumber":        {Doc: "Reviews; absent when it is not known.", Example: 182},

	"averagePosition":         {Doc: "Mean rank over the points; where it is not among the first 20 it counts as 21.", Example: 4.2},
	"averagePositionDiff":     {Doc: "Last report less the one before.", Example: -0.4},
	"averageShareOfVoice":     {Doc: "The share of the search market of its keywords that the business has, in percent: each point counts by its rank, the first most, beyond 20 nothing.", Example: 11.3},
	"averageShareOfVoiceDiff": {Doc: "Last report less the one before.", Example: 0.8},
	"shareOfVoice":            {Doc: "The share of the keyword's search market that the business has, in percent: each point counts by its rank, the first most, beyond 20 nothing.", Example: 11.3},
	"competitors":             {Doc: "The other businesses."},
	"keyword":                 {Doc: "The keyword."},
	"date":                    {Doc: "Instant of the report.", Example: "2026-11-08T06:00:00Z"},
	"point":                   {Doc: "The point."},
	"position":                {Doc: "1 to 20; 21 where it is not among the first 20.", Example: 3},
	"diff":                    {Doc: "Places won since the previous report; negative when lost.", Example: 1},
	"average_positions":       {Doc: "Average position by report.", Example: exampleSeries},
	"share_of_voices":         {Doc: "Share of voice by report, in percent.", Example: exampleSeries},
	"found_in_shares":         {Doc: "Percentage of points where the business is among the first 20, by report.", Example: exampleSeries},
	"top_3_shares":            {Doc: "Percentage of points where it is among the first three, by report.", Example: exampleSeries},
	"mean_ranks_found":        {Doc: "Mean rank over the points where it is found, by report.", Example: exampleSeries},
	"collectingReportDate":    {Doc: "Instant that the report starts at.", Example: "2026-11-15T11:00:00Z"},

	"share_token": {Doc: "In place of an access token, where the campaign is shared.", Example: "9bX0Zc1m8mJ2Qk3tR4vW5yA6uB7eD8fG9hH0iJ1kL2M"},
	"shareToken":  {Doc: "Lets anybody read the campaign.", Example: "9bX0Zc1m8mJ2Qk3tR4vW5yA6uB7eD8fG9hH0iJ1kL2M"},
	"shared":      {Doc: "Whether whoever has its share token may read it.", Example: true},
	"email":       {Doc: "Email of an account.", Example: "colleague@example.com"},

	"reports":     {Doc: "Most reports of the history."},
	"own":         {Doc: "Whether it is the campaign's own business.", Example: true},
	"pointId":     {Doc: "Identifier of a point of the report.", Example: "0199d8a4-c3f0-7c1e-9b2a-5d6e7f809abc"},
	"pointSets":   {Doc: "Sets of points that the reports were made at."},
	"pointSet":    {Doc: "Which of pointSets it was made at, from 0.", Example: 0},
	"foundShare":  {Doc: "Percentage of points where the business is among the first 20.", Example: 92},
	"top3Share":   {Doc: "Percentage of points where it is among the first three.", Example: 56},
	"results":     {Doc: "The businesses, by rank."},
	"campaign":    {Doc: "The campaign."},
	"collecting":  {Doc: "The collection under way; null without one."},
	"collectCost": {Doc: "Credits that a collection costs now.", Example: 50},
	"done":        {Doc: "Searches that have ended.", Example: 31},
	"failed":      {Doc: "Searches that failed.", Example: 0},
	"brand":       {Doc: "Brand of the account that shares the campaign."},
	"colour":      {Doc: "As #rrggbb.", Example: "#0f766e"},
	"logo_url":    {Doc: "Where its logo is served.", Example: "/brand/2c26b46b68ff.png"},
	"category":    {Doc: "What kind of business it is.", Example: "Coffeehouse"},
	"limit":       {Doc: "Most records to list."},

	"competitorsTotal": {Doc: "All businesses of the report shown.", Example: 38},
	"shareOfVoiceDiff": {Doc: "Percentage points won since the report before.", Example: 0.8},

	"KeywordFigures.averagePositionDiff": {Example: 0.4},
	"RankedBusiness.averagePositionDiff": {Example: 0.4},
	"RankedBusiness.business":            {Doc: "The business."},
	"CollectionProgress.total":           {Example: 50},
	"PointResult.distance":               {Example: 412},
	"ReportFigures.positions":            {Example: []any{1, 3, 21, nil}},

	"campaigns":      {Doc: "Slots for campaigns."},
	"credits":        {Doc: "Credits of the UTC calendar month."},
	"available":      {Doc: "What is left.", Example: 97},
	"inUse":          {Doc: "What is used.", Example: 3},
	"spentThisMonth": {Doc: "What was spent since the first of the month.", Example: 50},
	"total":          {Doc: "What the plan allows.", Example: 100},

	"content":          {Doc: "The records of the page."},
	"pageable":         {Doc: "What was asked for."},
	"sort":             {Doc: "How the list is ordered."},
	"last":             {Doc: "Whether it is the last page.", Example: true},
	"first":            {Doc: "Whether it is the first page.", Example: true},
	"empty":            {Doc: "Whether there is nothing.", Example: false},
	"numberOfElements": {Doc: "Records on the page.", Example: 1},
	"totalElements":    {Doc: "Records on all pages.", Example: 1},
	"totalPages":       {Doc: "Pages.", Example: 1},
	"size":             {Doc: "Records on a page, at most.", Example: 10},
	"number":           {Doc: "Number of the page, from 0.", Example: 0},
	"page":             {Doc: "Number of the page, from 0.", Example: 0},
	"pageNumber":       {Doc: "Number of the page, from 0.", Example: 0},
	"pageSize":         {Doc: "Records on a page, at most.", Example: 10},
	"offset":           {Doc: "Records before the page.", Example: 0},
	"paged":            {Doc: "Whether the list has pages: always.", Example: true},
	"unpaged":          {Doc: "The opposite of paged.", Example: false},
	"sorted":           {Doc: "Whether the list is ordered.", Example: true},
	"unsorted":         {Doc: "The opposite of sorted.", Example: false},

	"query":                {Doc: "Part of a name or an address.", Example: "deli"},
	"onlyMarkedForRemoval": {Doc: "Only campaigns that the plan has no slot for any more.", Example: false},

	"Keyword.name":         {Doc: "The words that are searched for.", Example: "coffee"},
	"UpdateInput.keywords": {Example: []any{"coffee", "espresso bar"}},
	"CreateInput.keywords": {Example: []any{"coffee", "espresso bar"}},
	"Campaign.name":        {Doc: "Name of the campaign.", Example: "Decatur Deli"},
}

func with(example map[string]any, name string, value any) map[string]any {
	more := maps.Clone(example)
	more[name] = value
	return more
}
