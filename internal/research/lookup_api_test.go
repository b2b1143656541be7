package research_test

import (
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/serper"
)

// The program asks a live vendor when it is configured to: its key, its faults, its pages of ten.
func TestSerperBehindTheAPI(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		key    string
		fault  providertest.Fault
		status int
		says   string
	}{
		{"all is well", providertest.SerperKey, nil, 200, ""},
		{"wrong key", "wrong", nil, 424, "TRIGPOINT_SERPER_API_KEY"},
		{"no credits", providertest.SerperKey, providertest.NoCredits(), 424, "no credits left"},
		{"asked to wait an hour", providertest.SerperKey, providertest.TooManyRequests("3600"), 424, "fewer requests"},
		{"nothing, with 200", providertest.SerperKey, providertest.Body("{}"), 424, "no answer"},
		{"points elsewhere", providertest.SerperKey, providertest.Redirect("http://127.0.0.1:1/"), 424, "TRIGPOINT_SERPER_URL"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			vendor := providertest.NewSerper(t)
			if test.fault != nil {
				vendor.Always(test.fault)
			}
			configured := func(s *apptest.Setup) {
				s.Config.SerpProvider = []string{"serper"}
				s.Config.Vendors = []provider.Vendor{provider.NewVendor("serper", &serper.Options{
					APIKey: test.key, Access: provider.Access{URL: vendor.URL},
				}, serper.New)}
			}
			apptest.Each(t, func(t *testing.T, p *apptest.Program) {
				a := get(t, p, "/serpcheck/serps", "kw", "pizza", "location_id", "4191124").Want(t, test.status)
				if !strings.Contains(a.Text("error.message"), test.says) || strings.Contains(string(a.Raw), test.key) {
					t.Errorf("%s", a.Raw)
				}
				want := int64(0)
				if test.status == 200 {
					want = 1
					if a.At("results") != nil || a.At("serp_results") != 20.0 {
						t.Errorf("%v results", a.At("serp_results"))
					}
					get(t, p, "/serpcheck/serps", "kw", "pizza", "platform_id", "2").Want(t, 424) // it has no mobile ranks
				}
				if n := rows(t, p, "serps"); n != want {
					t.Errorf("%d pages kept, want %d", n, want)
				}
			}, configured)
		})
	}
}
