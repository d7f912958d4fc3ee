package view

import (
	"fmt"
	"testing"
	"time"

	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// TestTroubleGoes: what can't be read is told until something under the same key can be, or the host begins anew.
func TestTroubleGoes(t *testing.T) {
	f := Open(t.Context(), Options{Links: []link.Viewer{&deaf{}}, Now: time.Now, SilentAfter: time.Minute})
	s := f.sources[0]
	head := func(kind string, boot, seq uint64) wire.Head {
		return wire.Head{V: wire.Version, Kind: kind, Host: "build-7", Boot: boot, Seq: seq, At: time.Now()}
	}
	said := func(key string, message any) { s.Said(link.Message{Key: key, Data: wire.Encode(message)}) }
	project := func(root string, boot, seq uint64) (key string, p *wire.Project) {
		return wire.ProjectKey("build-7", root, "x"), &wire.Project{Head: head(wire.KindProject, boot, seq), Root: root, Name: "x"}
	}
	said(wire.HostKey("build-7"), &wire.Presence{Head: head(wire.KindPresence, 1, 1)})
	a, good := project("/a", 1, 2)
	b, other := project("/b", 1, 3)
	told := func(when string, want bool) {
		t.Helper()
		if all := f.Hosts(); len(all) != 1 || (all[0].Trouble != "") != want {
			t.Errorf("%s: %+v", when, all)
		}
	}
	told("at first", false)
	s.Said(link.Message{Key: a, Data: []byte("{")})
	told("broken", true)
	said(b, other)
	told("another is good", true)
	said(a, good)
	told("good again", false)
	for i := range 2 * maxTroubles {
		s.Said(link.Message{Key: fmt.Sprint(a, i), Data: []byte("{")})
	}
	told("many are broken", true)
	if n := len(s.hosts[wire.Token("build-7")].troubles); n > maxTroubles {
		t.Errorf("%d are remembered", n)
	}
	said(wire.HostKey("build-7"), &wire.Presence{Head: head(wire.KindPresence, 2, 1)})
	told("begun anew", false)
}
