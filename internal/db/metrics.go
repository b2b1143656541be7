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
	return pools
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
