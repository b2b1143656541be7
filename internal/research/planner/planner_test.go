package planner

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// inUTF16 encodes as the planner's own download does.
func inUTF16(s string, bigEndian, mark bool) string {
	units := utf16.Encode([]rune(s))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var b strings.Builder
	for _, u := range units {
		if bigEndian {
			b.Write([]byte{byte(u >> 8), byte(u)})
		} else {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
	}
	return b.String()
}

// readPlanner collects rows and, as "line: reason", what was skipped.
func read(file string) (rows []Row, skipped []string, err error) {
	err = Read(strings.NewReader(file), func(r Row) error {
		rows = append(rows, r)
		return nil
	}, func(line int, reason string) { skipped = append(skipped, fmt.Sprintf("%d: %s", line, reason)) })
	return rows, skipped, err
}

// brief prints what a row says.
func brief(r Row) string {
	number := func(p *float64) string {
		if p == nil {
			return "-"
		}
		return fmt.Sprintf("%g", *p)
	}
	volume := "-"
	if r.Volume != nil {
		volume = fmt.Sprint(*r.Volume)
	}
	return fmt.Sprintf("%s|%s|%s|%s|%s", r.Keyword, volume, r.Competition, number(r.PPC), number(r.CPC))
}

const english = "Keyword Stats 2026-03-02 at 10_15_11\n" +
	"\"March 1, 2025 - February 28, 2026\"\n" +
	"Keyword\tCurrency\tAvg. monthly searches\tThree month change\tYoY change\tCompetition\tCompetition (indexed value)\t" +
	"Top of page bid (low range)\tTop of page bid (high range)\tSearches: Jan 2026\tSearches: Feb 2026\n" +
	"pizza near me\tUSD\t1000\t0%\t22%\tLow\t12\t0.50\t1.50\t900\t1,100\n" +
	"Pizza  Decatur\tUSD\t1K – 10K\t∞\t-90%\tHigh\t88\t\t2.25\t\t1K – 10K\n"

func TestReadInEveryEncoding(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"UTF-8":                         english,
		"UTF-8 with mark":               "\ufeff" + english,
		"UTF-8 with CRLF":               strings.ReplaceAll(english, "\n", "\r\n"),
		"UTF-16LE as downloaded":        inUTF16(english, false, true),
		"UTF-16BE":                      inUTF16(english, true, true),
		"UTF-16LE without mark":         inUTF16(english, false, false),
		"UTF-16BE without mark":         inUTF16(english, true, false),
		"no preamble":                   english[strings.Index(english, "Keyword\t"):],
		"no newline at the end":         strings.TrimSuffix(english, "\n"),
		"blank lines":                   strings.ReplaceAll(english, "\n", "\n\n"),
		"semicolons":                    strings.ReplaceAll(strings.ReplaceAll(english, "\t", ";"), "1,100", `"1,100"`),
		"commas and quotes":             strings.ReplaceAll(strings.ReplaceAll(english, "1,100", `"1,100"`), "\t", ","),
		"commas with an unquoted dates": strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(english, `"March 1, 2025 - February 28, 2026"`, "March 1, 2025 - February 28, 2026"), "1,100", `"1,100"`), "\t", ","),
	}
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, skipped, err := read(file)
			if err != nil || len(skipped) != 0 || len(rows) != 2 {
				t.Fatalf("%d rows, skipped %v, %v", len(rows), skipped, err)
			}
			if got := brief(rows[0]); got != "pizza near me|1000|LOW|12|1" {
				t.Errorf("first row %s", got)
			}
			if got := brief(rows[1]); got != "Pizza Decatur|3162|HIGH|88|2.25" {
				t.Errorf("second row %s", got)
			}
			if rows[1].VolumeMin != 1000 || rows[1].VolumeMax != 10_000 || rows[0].VolumeMin != 1000 || rows[0].VolumeMax != 1000 {
				t.Errorf("ranges %+v, %+v", rows[0], rows[1])
			}
			want := []MonthVolume{{2026, time.January, 900}, {2026, time.February, 1100}}
			if !slices.Equal(rows[0].Months, want) || !slices.Equal(rows[1].Months, []MonthVolume{{2026, time.February, 3162}}) {
				t.Errorf("months %v and %v", rows[0].Months, rows[1].Months)
			}
		})
	}
}

func TestReadInOtherLanguages(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, want string }{
		{"German", "Keyword;Währung;Durchschnittl. Suchanfragen pro Monat;Veränderung über drei Monate;Wettbewerb;Wettbewerb (indexierter Wert);" +
			"Gebot für obere Positionen (unterer Bereich);Gebot für obere Positionen (oberer Bereich);Suchanfragen: März 2025\n" +
			"pizza münchen;USD;1 Tsd.–10 Tsd.;0 %;Mittel;45;1,20;3,40;1.300", "pizza münchen|3162|MEDIUM|45|2.3"},
		{"French", "Mot clé\tDevise\tNbre moy. de recherches mensuelles\tÉvolution sur trois mois\tConcurrence\tConcurrence (valeur indexée)\t" +
			"Enchère de haut de page (fourchette basse)\tEnchère de haut de page (fourchette haute)\tRecherches : mars 2025\n" +
			"pizza lyon\tUSD\t1\u202f300\t0 %\tÉlevée\t90\t0,50\t1,50\t1\u00a0300", "pizza lyon|1300|HIGH|90|1"},
		{"Spanish", "Palabra clave,Moneda,Promedio de búsquedas mensuales,Cambio en tres meses,Competencia,Competencia (valor indexado)," +
			"Puja por la parte superior de la página (intervalo bajo),Puja por la parte superior de la página (intervalo alto),Búsquedas: mar 2025\n" +
			`pizzería,USD,1 mil – 10 mil,0%,Baja,3,"0,10","0,30",1.300`, "pizzería|3162|LOW|3|0.2"},
		{"Italian", "Parola chiave\tValuta\tMedia ricerche mensili\tVariazione trimestrale\tConcorrenza\tConcorrenza (valore indicizzato)\t" +
			"Offerta per la parte superiore della pagina (intervallo inferiore)\tOfferta per la parte superiore della pagina (intervallo superiore)\tRicerche: mar 2025\n" +
			"pizzeria roma\tUSD\t12.100\t0%\tMedia\t50\t0,40\t0,60\t12.100", "pizzeria roma|12100|MEDIUM|50|0.5"},
		{"Portuguese", "Palavra-chave\tMoeda\tMédia de pesquisas mensais\tAlteração em três meses\tConcorrência\tConcorrência (valor indexado)\t" +
			"Lance na parte superior da página (intervalo baixo)\tLance na parte superior da página (intervalo alto)\tPesquisas: mar. de 2025\n" +
			"pizzaria\tUSD\t10 mil – 100 mil\t0%\tAlta\t77\t1,00\t2,00\t100", "pizzaria|31623|HIGH|77|1.5"},
		{"Dutch", "Zoekwoord\tValuta\tGem. maandelijkse zoekopdrachten\tVerandering in drie maanden\tConcurrentie\tConcurrentie (geïndexeerde waarde)\t" +
			"Bod bovenaan de pagina (laag bereik)\tBod bovenaan de pagina (hoog bereik)\tZoekopdrachten: mrt. 2025\n" +
			"pizza utrecht\tUSD\t10-100\t0%\tGemiddeld\t33\t0,20\t0,40\t90", "pizza utrecht|32|MEDIUM|33|0.3"},
		{"Russian", "Статистика по ключевым словам 2026-03-02 at 10_15_11\n\"1 марта 2025 г. - 28 февраля 2026 г.\"\n" +
			"Ключевое слово\tВалюта\tСреднее число запросов в месяц\tИзменение за три месяца\tИзменение за год\tКонкуренция\tКонкуренция (индексированное значение)\t" +
			"Ставка для показа вверху стр. (мин.)\tСтавка для показа вверху стр. (макс.)\tЗапросы: мар. 2025\n" +
			"доставка пиццы\tUSD\t1 тыс. – 10 тыс.\t0 %\t∞\tСредний\t45\t0,50\t1,50\t8 100", "доставка пиццы|3162|MEDIUM|45|1"},
		{"Japanese", "キーワード プランナー 2026-03-02 at 10_15_11\n\"2025年3月1日～2026年2月28日\"\n" +
			"キーワード\t通貨\t月間平均検索ボリューム\t3 か月の推移\t前年比の推移\t競合性\t競合性（インデックス値）\t" +
			"ページ上部に掲載された広告の入札単価（低額帯）\tページ上部に掲載された広告の入札単価（高額帯）\t検索数: 2025年3月\n" +
			"ピザ 宅配\tUSD\t1万～10万\t0%\t-90%\t高\t88\t1.00\t2.00\t1万～10万", "ピザ 宅配|31623|HIGH|88|1.5"},
		{"least and most in columns of their own", "Keyword Stats 2018-11-05 at 11_06_12\nNov 1, 2017 - Oct 31, 2018\n" +
			"Keyword\tCurrency\tAvg. monthly searches\tMin search volume\tMax search volume\tCompetition\tCompetition (indexed value)\t" +
			"Top of page bid (low range)\tTop of page bid (high range)\tAd impression share\tOrganic impression share\tOrganic average position\tIn account\tIn plan\n" +
			"pizza near me\tUSD\tN/A\t1000\t10000\tLow\t5\t0.40\t1.60\t\t\t\t\t", "pizza near me|3162|LOW|5|1"},
		{"least and most only", "Keyword,Currency,Min search volume,Max search volume,Competition\npizza,USD,10,100,High", "pizza|32|HIGH|-|-"},
		{"Polish, by the order of its columns", "Statystyki 2026\n\nSłowo kluczowe\tWaluta\tŚrednia liczba\tZmiana\tZmiana r/r\tKonkurencja\tKonkurencja (indeks)\tStawka\tStawka 2\n" +
			"pizza warszawa\tUSD\t1000\t0%\t0%\tNiska\t20\t0,50\t0,70", "pizza warszawa|1000||20|0.6"},
		{"no header at all", "pizza,1300\npasta,20", "pizza|1300||-|-"},
		{"a plain list with a volume", "keyword,volume\npizza,1300", "pizza|1300||-|-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rows, skipped, err := read(tt.file)
			if err != nil || len(skipped) != 0 || len(rows) == 0 {
				t.Fatalf("%d rows, skipped %v, %v", len(rows), skipped, err)
			}
			if got := brief(rows[0]); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if strings.Contains(tt.file, "2025") && (len(rows[0].Months) != 1 || rows[0].Months[0].Month != time.March || rows[0].Months[0].Year != 2025) {
				t.Errorf("months %v, want March 2025", rows[0].Months)
			}
		})
	}
}

func TestBadLinesAreReportedAndSkipped(t *testing.T) {
	t.Parallel()
	file := strings.Join([]string{
		"Keyword,Avg. monthly searches",
		"good,10",
		`"unclosed,10`,
		",20",
		"a b c d e f g h i j k,10",
		strings.Repeat("x", 81) + ",10",
		"no volume,",
		"words,many",
		`"quoted ""name"", with comma","1,000"`,
		"long," + strings.Repeat("9", maxLine),
		"bad\x00byte,5",
		strings.Repeat(",", maxColumns),
		"last,7",
	}, "\n")
	rows, skipped, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprintf("%d %s", r.Line, brief(r)))
	}
	want := []string{"2 good|10||-|-", "7 no volume|-||-|-", `9 quoted "name", with comma|1000||-|-`, "13 last|7||-|-"}
	if !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
	for i, says := range []string{"3: a quote", "4: there is no keyword", "5: the keyword has more than 10 words", "6: the keyword is longer than 80", `8: "many" is no number`, "10: the line is longer", "11: the keyword contains broken", "12: there are more than 200"} {
		if i >= len(skipped) || !strings.HasPrefix(skipped[i], says) {
			t.Fatalf("skipped %q, want %q at %d", skipped, says, i)
		}
	}
}

func TestFilesThatCannotBeReadSayWhy(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, says string }{
		{"empty", "", "empty"},
		{"only blank lines", "\n \n\t\n", "empty"},
		{"Windows-1252", "Keyword,Avg. monthly searches\ncaf\xe9,10\n", "line 2 cannot be read. It is probably in an old encoding such as Windows-1252"},
		{"UTF-32", "\xff\xfe\x00\x00K\x00\x00\x00", "UTF-32"},
		{"Excel", "PK\x03\x04rest", "Excel"},
		{"gzip", "\x1f\x8b\x08\x00", "gzip"},
		{"binary", strings.Repeat("\x00", 64), "not text"},
		{"another table", "Name,Street\nAnn,Main Street\n", "Name | Street"},
		{"prose", "Dear all,\nplease find the file attached.\n", "Avg. monthly searches"},
		{"nothing below the header is good", "Keyword,Avg. monthly searches\n,5\n,6\n", "None of the 2 lines"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := read(tt.file)
			if errs.CodeOf(err) != errs.Invalid || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want it to say %q", err, tt.says)
			}
		})
	}
}

func TestOnlyDollarsBecomeCostPerClick(t *testing.T) {
	t.Parallel()
	tests := []struct{ header, line, bid string }{
		{"Keyword,Currency,Avg. monthly searches,Bid low,Bid high", "a,EUR,10,1.00,2.00", "1.5 EUR"},
		{"Keyword,Avg. monthly searches,Bid low,Bid high", "a,10,1.00,2.00", ""},
		{"Keyword,Currency,Avg. monthly searches,Bid low,Bid high", "a,EUR,10,,", ""},
	}
	for _, tt := range tests {
		rows, _, err := read(tt.header + "\n" + tt.line)
		if err != nil || len(rows) != 1 || rows[0].CPC != nil {
			t.Fatalf("%s: %+v, %v", tt.line, rows, err)
		}
		bid := ""
		if rows[0].Bid != nil {
			bid = fmt.Sprint(*rows[0].Bid, " ", rows[0].Currency)
		}
		if bid != tt.bid {
			t.Errorf("%s: bid %q, want %q", tt.line, bid, tt.bid)
		}
	}
}

func TestReadStopsWhenToldTo(t *testing.T) {
	t.Parallel()
	stop := errors.New("enough")
	n := 0
	err := Read(strings.NewReader(english), func(Row) error { n++; return stop }, nil)
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("%v after %d rows", err, n)
	}
}

func TestParseVolume(t *testing.T) {
	t.Parallel()
	const unknown, bad = -1, -2
	for in, want := range map[string]int64{
		"0": 0, "10": 10, "1000": 1000, "1,000": 1000, "1.000": 1000, "1 000": 1000, "1\u202f000": 1000, "1'000": 1000, "12.345.678": 12345678,
		"1K": 1000, "1.5K": 1500, "1,5 Tsd.": 1500, "10M": 10e6, "2 Mio.": 2e6, "1 mil": 1000, "5 mln": 5e6, "2 Mrd.": 2e9,
		"10 – 100": 32, "100-1K": 316, "1K – 10K": 3162, "1–10K": 3162, "10K – 100K": 31623, "1M – 10M": 3162278, "0 - 10": 3, "<10": 3, "10 bis 100": 32, "10 a 100": 32,
		"1万": 10_000, "1万～10万": 31623, "1～10万": 31623, "100〜1000": 316, "1億": 1e8, "1 тыс.": 1000, "10 тыс.–100 тыс.": 31623, "1 млн – 10 млн": 3162278,
		"": unknown, "-": unknown, "–": unknown, "--": unknown, "n/a": unknown,
		"many": bad, "1,0000": bad, "1.5": bad, "-5": bad, "10-5": bad, "1K-": bad, "1e9": bad, "9999999M": bad, "1,00,000": bad, "0x10": bad, "1..000": bad, "٣": bad, "12 %": bad,
	} {
		volume, low, high, ok := parseVolume(in)
		got := int64(bad)
		if ok {
			got = unknown
			if volume != nil {
				got = *volume
			}
		}
		if got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
		if ok && volume != nil && (low > *volume && low > 0 || *volume > max(high, 1)) {
			t.Errorf("%q: %d is not in %d..%d", in, *volume, low, high)
		}
	}
}

func TestParseDecimal(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]float64{
		"1.23": 1.23, "1,23": 1.23, "$1.23": 1.23, "1,23 €": 1.23, "US$ 0.5": 0.5, "1,234.56": 1234.56, "1.234,56": 1234.56, "1 234,56": 1234.56,
		"0.125": 0.125, "1,234": 1234, "12": 12, "1.234.567": 1234567, "45 %": 45,
		"": math.NaN(), "abc": math.NaN(), "1.2.3": math.NaN(), "--": math.NaN(), "1,23,45": math.NaN(), ".": math.NaN(), "1.23,4.5": math.NaN(),
	} {
		got, ok := parseDecimal(in)
		if ok == math.IsNaN(want) || ok && math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %v, %v; want %v", in, got, ok, want)
		}
	}
}

func TestWholeNumbersSurviveAnyGrouping(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, maxSearches).Draw(t, "n")
		mark := rapid.SampledFrom([]string{"", ",", ".", " ", "\u00a0", "\u202f", "'"}).Draw(t, "mark")
		plain := fmt.Sprint(n)
		var b strings.Builder
		for i, r := range plain {
			if i > 0 && (len(plain)-i)%3 == 0 {
				b.WriteString(mark)
			}
			b.WriteRune(r)
		}
		if got, _, _, ok := parseVolume(b.String()); !ok || got == nil || *got != n {
			t.Fatalf("%q: %v, %v", b.String(), got, ok)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(english)
	f.Add(inUTF16(english, false, true))
	f.Add(inUTF16(english, true, false))
	f.Add("Keyword;Suchvolumen\n\"a\"\"b\";1 Tsd.–10 Tsd.\n")
	f.Add("a,USD,1K – 10K,0%,0%,x,5,1,2")
	f.Add("\xff\xfeK")
	f.Fuzz(func(t *testing.T, file string) {
		last := 0
		err := Read(strings.NewReader(file), func(r Row) error {
			if r.Line <= last {
				t.Fatalf("line %d after %d", r.Line, last)
			}
			last = r.Line
			if KeywordFault(r.Keyword) != "" || r.Volume != nil && (*r.Volume < 0 || *r.Volume > maxSearches) {
				t.Fatalf("row %+v", r)
			}
			if r.PPC != nil && !(*r.PPC >= 0 && *r.PPC <= 100) || r.CPC != nil && !(*r.CPC >= 0) {
				t.Fatalf("row %s", brief(r))
			}
			return nil
		}, func(line int, reason string) {
			if line < 1 || reason == "" {
				t.Fatalf("bad line %d: %q", line, reason)
			}
		})
		if err != nil && errs.CodeOf(err) != errs.Invalid {
			t.Fatalf("%v is not Invalid", err)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var file strings.Builder
	file.WriteString(english)
	for i := range 10_000 {
		fmt.Fprintf(&file, "keyword number %d\tUSD\t1K – 10K\t0%%\t0%%\tLow\t12\t0.50\t1.50\t900\t1,100\n", i)
	}
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		if err := Read(strings.NewReader(file.String()), func(Row) error { return nil }, nil); err != nil {
			b.Fatal(err)
		}
	}
}
