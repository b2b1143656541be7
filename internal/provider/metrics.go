package provider

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// calls measures the requests of this process, whoever makes them.
var calls = prometheus.NewHistogramVec(prometheus.HistogramOpts{
	Name:    "trigpoint_provider_call_seconds",
	Help:    "Time that providers took to answer, by provider and outcome: answered, or the kind of failure.",
	Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30},
}, []string{"provider", "outcome"})

// Metrics are the requests of this process.
func Metrics() []prometheus.Collector { return []prometheus.Collector{calls} }

func observe(name string, began time.Time, returned bool, err error) {
	outcome := "answered"
	if err != nil || !returned {
		outcome = strings.ReplaceAll(KindOf(err).String(), " ", "_")
	}
	calls.WithLabelValues(name, outcome).Observe(time.Since(began).Seconds())
}
