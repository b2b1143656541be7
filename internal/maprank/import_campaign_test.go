package maprank_test

import (
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// pastScan is a scan in which the market's first business has these ranks, from point to point; 0 is not found. Its
// second is always first, where the first is not.
func pastScan(keyword string, at time.Time, ranks ...int) maprank.PastScan {
	scan := maprank.PastScan{Keyword: keyword, At: at}
	for i, rank := range ranks {
		p := maprank.PastPoint{At: grid.Coordinates{Lat: 33.77 + 0.01*float64(i/3), Lng: -84.3 + 0.01*float64(i%3)}}
		if rank > 0 {
			p.Found = append(p.Found, maprank.PastResult{Rank: rank, Business: market[0]})
		}
		if rank != 1 {
			p.Found = append(p.Found, maprank.PastResult{Rank: 1, Business: market[1]})
		}
		scan.Points = append(scan.Points, p)
	}
	return scan
}

// Scans of another tool become reports whose figures are those of our own formulas, once, at no charge.
func TestScansOfAnotherToolBecomeReports(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		week := func(n int) time.Time { return start.AddDate(0, 0, -7*n) }
		ranks := []int{1, 3, 0, 5, 2, 20, 4, 1, 0}
		past := maprank.PastCampaign{
			AccountID: w.Owner.ID, From: "localfalcon",
			Business: provider.Business{PlaceID: market[0].PlaceID, Name: market[0].Name},
			Scans: []maprank.PastScan{
				pastScan("Deli", week(3), 9, 9, 9, 9, 9, 9, 9, 9, 9), pastScan("bagels", week(3), 2, 2, 2, 2), // other points, the same instant
				pastScan("deli", week(1), ranks...), pastScan("bagels", week(1), 1, 1, 1, 1, 1, 1, 1, 1, 1),
				pastScan("tomorrow", start.AddDate(0, 0, 1), 1),
			},
		}
		run := func(rehearse bool, reports, scans, known int) maprank.ImportedCampaign {
			w.t.Helper()
			done, err := w.MapRank.ImportCampaign(w.t.Context(), past, rehearse)
			if err != nil || done.Reports != reports || done.Scans != scans || done.Known != known || len(done.Refused) != 1 {
				w.t.Fatalf("%+v, %v", done, err)
			}
			return done
		}
		run(true, 3, 4, 0)
		if w.count("campaigns") != 0 || w.count("reports") != 0 {
			w.t.Fatal("what was rehearsed is kept")
		}
		done := run(false, 3, 4, 0)
		if run(false, 0, 0, 4); w.count("campaigns") != 1 || w.count("reports") != 3 || !done.New {
			w.t.Fatalf("an import again makes more: %d campaigns, %d reports", w.count("campaigns"), w.count("reports"))
		}

		campaign := w.get("/campaigns/%s", done.ID).Want(w.t, 200)
		if campaign.Text("data.status") != "COLLECTED" || campaign.Len("data.points") != 9 || campaign.Text("data.business.name") != market[0].Name || campaign.Len("data.reportDates") != 3 {
			w.t.Errorf("%s", campaign.Raw)
		}
		deli := campaign.Text("data.keywords.0.id")
		var tally result.Tally
		for _, rank := range ranks {
			if rank == 0 {
				rank = result.Unranked
			}
			tally.Add(rank)
		}
		metrics := w.get("/campaigns/%s/metrics%s", done.ID, query("keywordId", deli, "cid", market[0].CID)).Want(w.t, 200)
		date := week(1).Format(time.RFC3339)
		for name, want := range map[string]float64{"average_positions": tally.AveragePosition(), "share_of_voices": tally.ShareOfVoice(), "top_3_shares": tally.TopShare()} {
			if got := metrics.At("data." + name + "." + date); got != want {
				w.t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
		status := w.get("/campaigns/%s/keywords%s", done.ID, query("reportDate", date)).Want(w.t, 200)
		if status.Len("data.keywords") != 2 || status.Text("data.keywords.0.provider") != "import:localfalcon" {
			w.t.Errorf("it does not say where it is from: %s", status.Raw)
		}
		if spent := w.get("/limits").Want(w.t, 200).At("data.credits.spentThisMonth"); spent != 0.0 {
			w.t.Errorf("%v credits were spent", spent)
		}
		if told := w.events("report.collected"); told.Len("data") != 0 {
			w.t.Errorf("somebody was told of the past: %s", told.Raw)
		}

		// Later scans find the campaign, by whatever name its business goes now.
		past.Business.Name, past.Scans = "", []maprank.PastScan{pastScan("soup", week(1), ranks...), pastScan("tomorrow", start.AddDate(0, 0, 1), 1)}
		if again := run(false, 0, 1, 0); again.New || again.ID != done.ID || len(again.Keywords) != 1 {
			w.t.Errorf("%+v", again)
		}
	})
}
