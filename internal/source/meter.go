package source

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// meter counts what this process has asked and what that has cost.
type meter struct{ requests, dollars *prometheus.CounterVec }

func newMeter() meter {
	byProvider := []string{"provider"}
	return meter{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trigpoint_provider_requests_total", Help: "Requests that providers bill, by provider.",
		}, byProvider),
		dollars: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trigpoint_provider_cost_dollars_total", Help: "What requests to providers have cost in US dollars, by provider.",
		}, byProvider),
	}
}

func (m meter) count(name string, requests int, cost provider.Money) {
	m.requests.WithLabelValues(name).Add(float64(requests))
	m.dollars.WithLabelValues(name).Add(cost.Dollars())
}

// Metrics are what this process has recorded since it started.
func (l *Ledger) Metrics() []prometheus.Collector {
	return []prometheus.Collector{l.meter.requests, l.meter.dollars}
}
