package geo

import "math"

// Grid lays n x n points around base; distanceKM reaches from base to the outermost row and column,
// so the step is 2*distanceKM/(n-1). Index 0 is the south-west corner, then eastward, rows northward.
//
// An offset of dx km east and dy km north is walked as one great circle, bearing atan2(dx, dy) and
// length hypot(dx, dy), so that a grid keeps its shape at any latitude. The caller bounds n; below 1
// there are no points.
func Grid(base Point, n int, distanceKM float64) []Point {
	if n < 1 {
		return nil
	}
	if n == 1 {
		return []Point{Destination(base, 0, 0)}
	}
	step := 2 * distanceKM / float64(n-1)
	middle := float64(n-1) / 2
	points := make([]Point, 0, n*n)
	for row := range n {
		dy := step * (float64(row) - middle)
		for col := range n {
			dx := step * (float64(col) - middle)
			points = append(points, Destination(base, math.Atan2(dx, dy), math.Hypot(dx, dy)))
		}
	}
	return points
}
