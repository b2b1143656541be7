package brave

import "strings"

// countries are those of which Brave has results.
var countries = set("AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US")

// languages are those that Brave searches in, as it writes them.
var languages = set("ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de gu he hi hu is it jp kn ko lv lt ms ml mr nb pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi")

// spellings are where Brave writes a language otherwise than everybody.
var spellings = map[string]string{
	"ja": "jp", "no": "nb", "nn": "nb", "iw": "he", "pt": "pt-pt",
	"zh": "zh-hans", "zh-cn": "zh-hans", "zh-sg": "zh-hans", "zh-tw": "zh-hant", "zh-hk": "zh-hant", "zh-mo": "zh-hant",
}

// languageCode finds Brave's word for a language such as "de", "de-AT" or "pt-BR".
func languageCode(tag string) (code string, ok bool) {
	tag = strings.ToLower(tag)
	bare, _, _ := strings.Cut(tag, "-")
	for _, t := range []string{tag, bare} {
		if other, differs := spellings[t]; differs {
			t = other
		}
		if languages[t] {
			return t, true
		}
	}
	return "", false
}

func set(words string) map[string]bool {
	members := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		members[word] = true
	}
	return members
}
