package research

import "strconv"

// Language is a language of searchers; its id is the language constant of Google Ads.
type Language struct {
	ID    int     `json:"_id"`
	Code  *string `json:"code"`
	Label string  `json:"label"`
}

type languageName struct{ code, label string }

// languages by their constant.
var languages = map[int]languageName{
	1000: {"en", "English"}, 1001: {"de", "German"}, 1002: {"fr", "French"}, 1003: {"es", "Spanish"}, 1004: {"it", "Italian"},
	1005: {"ja", "Japanese"}, 1009: {"da", "Danish"}, 1010: {"nl", "Dutch"}, 1011: {"fi", "Finnish"}, 1012: {"ko", "Korean"},
	1013: {"no", "Norwegian"}, 1014: {"pt", "Portuguese"}, 1015: {"sv", "Swedish"}, 1017: {"zh-CN", "Chinese (simplified)"},
	1018: {"zh-TW", "Chinese (traditional)"}, 1019: {"ar", "Arabic"}, 1020: {"bg", "Bulgarian"}, 1021: {"cs", "Czech"},
	1022: {"el", "Greek"}, 1023: {"hi", "Hindi"}, 1024: {"hu", "Hungarian"}, 1025: {"id", "Indonesian"}, 1026: {"is", "Icelandic"},
	1027: {"he", "Hebrew"}, 1028: {"lv", "Latvian"}, 1029: {"lt", "Lithuanian"}, 1030: {"pl", "Polish"}, 1031: {"ru", "Russian"},
	1032: {"ro", "Romanian"}, 1033: {"sk", "Slovak"}, 1034: {"sl", "Slovenian"}, 1035: {"sr", "Serbian"}, 1036: {"uk", "Ukrainian"},
	1037: {"tr", "Turkish"}, 1038: {"ca", "Catalan"}, 1039: {"hr", "Croatian"}, 1040: {"vi", "Vietnamese"}, 1041: {"ur", "Urdu"},
	1042: {"tl", "Filipino"}, 1043: {"et", "Estonian"}, 1044: {"th", "Thai"}, 1056: {"bn", "Bengali"}, 1064: {"fa", "Persian"},
	1072: {"gu", "Gujarati"}, 1086: {"kn", "Kannada"}, 1098: {"ml", "Malayalam"}, 1101: {"mr", "Marathi"}, 1102: {"ms", "Malay"},
	1110: {"pa", "Punjabi"}, 1130: {"ta", "Tamil"}, 1131: {"te", "Telugu"},
}

// languageOf finds a language; 0 is any.
func languageOf(id int) (Language, bool) {
	if id == 0 {
		return Language{Label: "Any language"}, true
	}
	name, ok := languages[id]
	if !ok {
		return Language{Label: strconv.Itoa(id)}, false
	}
	return Language{ID: id, Code: &name.code, Label: name.label}, true
}
