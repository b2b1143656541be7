package signedpost

import (
	"strings"
	"testing"
)

func TestPrivateAddressesAreRefused(t *testing.T) {
	t.Parallel()
	for address, refused := range map[string]bool{
		"127.0.0.1:80": true, "[::1]:80": true, "10.1.2.3:443": true, "192.168.0.1:80": true, "172.16.0.1:80": true, "169.254.169.254:80": true,
		"100.64.0.1:80": true, "0.0.0.0:80": true, "[::ffff:127.0.0.1]:80": true, "[fe80::1]:80": true, "[fd00::1]:80": true, "224.0.0.1:80": true,
		"[64:ff9b::7f00:1]:80": true, "[64:ff9b:1::7f00:1]:80": true, "[2002:7f00:1::1]:80": true, "[fec0::1]:80": true, "[::7f00:1]:80": true,
		"198.18.0.1:80": true, "198.19.255.255:80": true, "240.0.0.1:80": true, "0.1.2.3:80": true, "198.20.0.1:80": false, "93.184.216.34:443": false, "[2606:2800:220:1::1]:443": false,
	} {
		if err := refusePrivate("tcp", address, nil); (err != nil) != refused {
			t.Errorf("%s: %v", address, err)
		}
		if err := New(false).CheckURL("https://" + address + "/hook"); (err != nil) != refused {
			t.Errorf("the URL of %s: %v", address, err)
		}
	}
	for text, allowed := range map[string]bool{"http://LocalHost:8080": false, "https://a.localhost": false, "https://[fe80::1%25eth0]/": false, "https://localhost.example": true} {
		if err := New(false).CheckURL(text); (err == nil) != allowed {
			t.Errorf("%s: %v", text, err)
		}
		if err := New(true).CheckURL(text); err != nil {
			t.Errorf("%s, where private addresses are allowed: %v", text, err)
		}
	}
	if _, err := New(false).Post(t.Context(), "http://localhost:1", nil, Message{}); err == nil || !strings.Contains(err.Error(), "not a public address") {
		t.Errorf("a name that resolves to loopback: %v", err)
	}
}
