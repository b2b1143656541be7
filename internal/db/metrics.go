package db

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// lookTime is how long a figure that the store itself tells may take when metrics are read.
const lookTime = 2 * time.Second

// Metrics are whether the store answers, its size, and the use of the connection pools.
func (d *DB) Metrics() []prometheus.Collector {
	up := Figure(prometheus.NewDesc("trigpoint_store_up", "1 while the store answers.", nil, nil), func(ctx context.Context, tell Tell) error {
		answers := 1.0
		if d.Ping(ctx) != nil {
			answers = 0
		}
		tell(answers)
		return nil
	})
	size := Figure(prometheus.NewDesc("trigpoint_store_bytes", "Size of the store on disk.", nil, nil), func(ctx context.Context, tell Tell) error {
		text := "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
		if d.Dialect == Postgres {
			text = "SELECT pg_database_size(current_database())"
		}
		bytes, err := One(ctx, d, Value[int64], text)
		if err == nil {
			tell(float64(bytes))
		}
		return err
	})
	pools := []prometheus.Collector{up, size, collectors.NewDBStatsCollector(d.write, "write")}
	if d.read != d.write {
		pools = append(pools, collectors.NewDBStatsCollector(d.read, "read"))
	}
	return append(pools, d.replicaMetrics()...)
}

// replicaMetrics are which replicas are used and how far they are behind.
func (d *DB) replicaMetrics() (all []prometheus.Collector) {
	figure := func(name, help string, value func(ReplicaState) (float64, bool)) {
		all = append(all, Figure(prometheus.NewDesc(name, help, []string{"replica"}, nil), func(ctx context.Context, tell Tell) error {
			for _, s := range d.Replicas(ctx) {
				if v, known := value(s); known {
					tell(v, s.Name)
				}
			}
			return nil
		}))
	}
	figure("trigpoint_replica_used", "1 while reads come from the replica, 0 while it is away or behind.", func(s ReplicaState) (float64, bool) {
		if s.Used {
			return 1, true
		}
		return 0, true
	})
	figure("trigpoint_replica_behind_bytes", "What the replica lacks of the store's write-ahead log.", func(s ReplicaState) (float64, bool) {
		return float64(s.Behind), s.Fault == nil
	})
	figure("trigpoint_replica_behind_seconds", "How old the replica's state is while it is behind.", func(s ReplicaState) (float64, bool) {
		return s.Age.Seconds(), s.Fault == nil
	})
	for _, r := range d.replicas {
		all = append(all, prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "trigpoint_replica_requests_total", Help: "Requests that were let read from the replica.", ConstLabels: prometheus.Labels{"replica": r.name},
		}, func() float64 { return float64(r.requests.Load()) }))
	}
	return all
}

// Tell takes a value of a figure, with its labels.
type Tell func(value float64, labels ...string)

// Figure is a gauge that is read from the store whenever metrics are. While the store does not answer it is left out.
func Figure(desc *prometheus.Desc, read func(ctx context.Context, tell Tell) error) prometheus.Collector {
	return &figure{desc: desc, read: read}
}

type figure struct {
	desc *prometheus.Desc
	read func(ctx context.Context, tell Tell) error
}

// Describe implements prometheus.Collector.
func (f *figure) Describe(all chan<- *prometheus.Desc) { all <- f.desc }

// Collect implements prometheus.Collector.
func (f *figure) Collect(all chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	var values []prometheus.Metric
	err := f.read(ctx, func(value float64, labels ...string) {
		values = append(values, prometheus.MustNewConstMetric(f.desc, prometheus.GaugeValue, value, labels...))
	})
	if err != nil {
		return // trigpoint_store_up says so
	}
	for _, v := range values {
		all <- v
	}
}
