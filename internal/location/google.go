package location

// googleTLD is what follows "google." in the domain that Google keeps for a country; countries without
// one of their own use google.com.
func googleTLD(country string) string {
	if tld, ok := googleTLDs[country]; ok {
		return tld
	}
	return "com"
}

var googleTLDs = map[string]string{
	"AD": "ad", "AE": "ae", "AF": "com.af", "AG": "com.ag", "AL": "al", "AM": "am", "AO": "co.ao", "AR": "com.ar",
	"AS": "as", "AT": "at", "AU": "com.au", "AZ": "az", "BA": "ba", "BD": "com.bd", "BE": "be", "BF": "bf",
	"BG": "bg", "BH": "com.bh", "BI": "bi", "BJ": "bj", "BN": "com.bn", "BO": "com.bo", "BR": "com.br", "BS": "bs",
	"BT": "bt", "BW": "co.bw", "BY": "by", "BZ": "com.bz", "CA": "ca", "CD": "cd", "CF": "cf", "CG": "cg",
	"CH": "ch", "CI": "ci", "CK": "co.ck", "CL": "cl", "CM": "cm", "CN": "cn", "CO": "com.co", "CR": "co.cr",
	"CU": "com.cu", "CV": "cv", "CY": "com.cy", "CZ": "cz", "DE": "de", "DJ": "dj", "DK": "dk", "DM": "dm",
	"DO": "com.do", "DZ": "dz", "EC": "com.ec", "EE": "ee", "EG": "com.eg", "ES": "es", "ET": "com.et", "FI": "fi",
	"FJ": "com.fj", "FM": "fm", "FR": "fr", "GA": "ga", "GB": "co.uk", "GE": "ge", "GG": "gg", "GH": "com.gh",
	"GI": "com.gi", "GL": "gl", "GM": "gm", "GR": "gr", "GT": "com.gt", "GY": "gy", "HK": "com.hk", "HN": "hn",
	"HR": "hr", "HT": "ht", "HU": "hu", "ID": "co.id", "IE": "ie", "IL": "co.il", "IM": "im", "IN": "co.in",
	"IQ": "iq", "IS": "is", "IT": "it", "JE": "je", "JM": "com.jm", "JO": "jo", "JP": "co.jp", "KE": "co.ke",
	"KG": "kg", "KH": "com.kh", "KI": "ki", "KR": "co.kr", "KW": "com.kw", "KZ": "kz", "LA": "la", "LB": "com.lb",
	"LI": "li", "LK": "lk", "LS": "co.ls", "LT": "lt", "LU": "lu", "LV": "lv", "LY": "com.ly", "MA": "co.ma",
	"MD": "md", "ME": "me", "MG": "mg", "MK": "mk", "ML": "ml", "MM": "com.mm", "MN": "mn", "MT": "com.mt",
	"MU": "mu", "MV": "mv", "MW": "mw", "MX": "com.mx", "MY": "com.my", "MZ": "co.mz", "NA": "com.na", "NE": "ne",
	"NG": "com.ng", "NI": "com.ni", "NL": "nl", "NO": "no", "NP": "com.np", "NR": "nr", "NU": "nu", "NZ": "co.nz",
	"OM": "com.om", "PA": "com.pa", "PE": "com.pe", "PG": "com.pg", "PH": "com.ph", "PK": "com.pk", "PL": "pl", "PN": "pn",
	"PR": "com.pr", "PS": "ps", "PT": "pt", "PY": "com.py", "QA": "com.qa", "RO": "ro", "RS": "rs", "RU": "ru",
	"RW": "rw", "SA": "com.sa", "SB": "com.sb", "SC": "sc", "SE": "se", "SG": "com.sg", "SH": "sh", "SI": "si",
	"SK": "sk", "SL": "com.sl", "SM": "sm", "SN": "sn", "SO": "so", "SR": "sr", "ST": "st", "SV": "com.sv",
	"TD": "td", "TG": "tg", "TH": "co.th", "TJ": "com.tj", "TL": "tl", "TM": "tm", "TN": "tn", "TO": "to",
	"TR": "com.tr", "TT": "tt", "TW": "com.tw", "TZ": "co.tz", "UA": "com.ua", "UG": "co.ug", "UY": "com.uy", "UZ": "co.uz",
	"VC": "com.vc", "VE": "co.ve", "VG": "vg", "VI": "co.vi", "VN": "com.vn", "VU": "vu", "WS": "ws", "ZA": "co.za",
	"ZM": "co.zm", "ZW": "co.zw",
}
