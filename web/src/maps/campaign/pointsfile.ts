// The points of a report with their ranks, as a file.
import { type CsvColumn, saveCsv } from '../../ui/csv';
import { type Cell, cellsOf } from '../../ui/map/points';
import { type Grid, ranksAt } from './ranks';
import type { ViewPoint } from './types';

interface Named {
  grid: Grid;
  name: string; // of its ranks: a day, or a business
}

interface Row {
  point: ViewPoint;
  cell: Cell | undefined;
  rank: number | null;
  other: number | null | undefined;
}

/** A row a point, from the north-west as a map is read; points that lie in no grid keep their order and are numbered. */
export function pointRows(grid: Grid, other: Grid | undefined): Row[] {
  const cells = cellsOf(grid.points.map((p) => p.coordinates));
  const others = ranksAt(grid.points, other);
  const rows = grid.points.map((point, i): Row => ({ point, cell: cells?.[i], rank: grid.report.positions[i] ?? null, other: others[i] }));
  return rows.sort((a, b) => (a.cell && b.cell ? a.cell.row - b.cell.row || a.cell.column - b.cell.column : 0));
}

export function savePoints(name: string, shown: Named, other: Named | undefined): void {
  const rows = pointRows(shown.grid, other?.grid);
  const places: CsvColumn<Row>[] = rows[0]?.cell
    ? [{ name: 'Row from the north', value: (r) => r.cell?.row }, { name: 'Column from the west', value: (r) => r.cell?.column }]
    : [{ name: 'Point', value: (r) => shown.grid.points.indexOf(r.point) + 1 }];
  saveCsv(name, rows, [
    ...places,
    { name: 'Latitude', value: (r) => r.point.coordinates.lat },
    { name: 'Longitude', value: (r) => r.point.coordinates.lng },
    { name: `Rank ${shown.name} (21: beyond 20)`, value: (r) => r.rank },
    ...(other ? [{ name: `Rank of ${other.name}`, value: (r: Row) => r.other }] : []),
  ]);
}
