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

func observe(name, outcome string, began time.Time) {
	calls.WithLabelValues(name, outcome).Observe(time.Since(began).Seconds())
}

// answered is the outcome of a call that has not failed.
const answered = "answered"

// outcomeOf is a word for what came of a call, which may have panicked.
func outcomeOf(returned bool, err error) string {
	if err == nil && returned {
		return answered
	}
	return strings.ReplaceAll(KindOf(err).String(), " ", "_")
}
