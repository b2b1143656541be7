package maprank_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// A business that overtakes the campaign's own is told of once, and so are the figures that fell with it.
func TestABusinessThatPassesIsToldOf(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		own, rival, third := market[0], market[1], market[2]
		var week atomic.Int64
		w.maps.Map = func(_ context.Context, q provider.MapQuery) ([]provider.Business, error) {
			if q.Keyword == "sushi" {
				return []provider.Business{third}, nil
			}
			if week.Load() == 0 {
				return []provider.Business{own, rival, third}, nil
			}
			return []provider.Business{rival, third, own}, nil
		}
		id := w.campaign("pizza").Text("data.id")
		for _, rule := range []object{{"condition": "business_passed"}, {"condition": "average_position_lost", "threshold": 1}, {"condition": "average_position_lost", "threshold": 3}, {"condition": "top3_share_lost", "threshold": 0.1}} {
			rule["subject_id"] = id
			w.Do(w.t, apptest.Call{Method: "POST", Path: httpapi.AccountPrefix + "/alerts/rules", Body: rule}).Want(w.t, 200)
		}
		told := func() string {
			var texts []string
			alerts := w.Do(w.t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/alerts"}).Want(w.t, 200)
			for i := range alerts.Len("data") {
				texts = append(texts, alerts.Text(fmt.Sprintf("data.%d.text", i)))
			}
			return strings.Join(texts, "\n")
		}
		w.collect(id)
		if told() != "" {
			w.t.Errorf("the first report is told of: %s", told())
		}
		for range 3 { // from the second on nothing has changed, but that there is a keyword more in the third
			if week.Add(1) == 3 {
				w.send("PATCH", "/campaigns/"+id, object{"keywords": []string{"pizza", "sushi"}}).Want(w.t, 200)
			}
			w.clock.Advance(7 * 24 * time.Hour)
			w.collect(id)
			all := told()
			for _, want := range []string{": " + rival.Name + " has passed: its share of voice is ", ": " + third.Name + " has passed: its share of voice is ", ": the average position went from 1.0 to 3.0."} {
				if strings.Count(all, own.Name+want) != 1 {
					w.t.Errorf("week %d: told of\n%s\nwithout %s", week.Load(), all, want)
				}
			}
			if strings.Count(all, "\n") != 2 {
				w.t.Errorf("week %d: told of\n%s", week.Load(), all)
			}
		}
		w.send("DELETE", "/campaigns/"+id, nil).Want(w.t, 200)
		if left := w.Do(w.t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/alerts/rules"}).Want(w.t, 200); left.Len("data") != 0 {
			w.t.Errorf("rules of a campaign that is gone: %s", left.Raw)
		}
	})
}
