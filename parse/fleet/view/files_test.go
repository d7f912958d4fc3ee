package view

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// same is a link to a host whose file is the one that is known.
type same struct {
	quiet
	meanwhile func()
}

func (l same) Ask(_ context.Context, _ string, _ uint64, kind string, _ []byte) ([]byte, error) {
	l.meanwhile()
	return wire.EncodeReply(&wire.Reply{Reply: kind, At: time.Now(), Etag: "a", Same: true}, nil), nil
}

// TestATextThatIsLetGo: a text that its host says is the one that is here is not lost where it is let go, or replaced, meanwhile.
func TestATextThatIsLetGo(t *testing.T) {
	var f *Fleet
	at := [2]string{"build-7:/src", "x.md"}
	for what, now := range map[string]*kept{"let go": nil, "replaced": {etag: "b", text: "newer"}} {
		f = newLook(t, same{quiet{"hub"}, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			if delete(f.texts, at); now != nil {
				f.texts[at] = now
			}
		}}, "")
		f.mu.Lock()
		f.texts[at] = &kept{etag: "a", text: "known"}
		f.mu.Unlock()
		if text, err := f.Text(at[0], at[1]); text != "known" || err != nil {
			t.Errorf("%s: %q %v", what, text, err)
		}
		f.mu.Lock()
		if x := f.texts[at]; x == nil || x.text == "" {
			t.Errorf("%s: %+v is kept", what, x)
		}
		f.mu.Unlock()
	}
}

// lost is a link whose connection is lost, which is told a moment later, and is back then.
type lost struct {
	same
	back chan struct{}
	tell func()
}

func (l lost) Ask(ctx context.Context, host string, boot uint64, kind string, data []byte) ([]byte, error) {
	select {
	case <-l.back:
		return l.same.Ask(ctx, host, boot, kind, data)
	default:
		l.tell()
		return nil, link.ErrDown
	}
}

// TestALinkThatIsLost: whoever reads over one that comes back in a moment waits for that.
func TestALinkThatIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f *Fleet
		back := make(chan struct{})
		f = newLook(t, lost{same{quiet{"hub"}, func() {}}, back, sync.OnceFunc(func() {
			time.AfterFunc(time.Millisecond, func() { f.sources[0].Down(link.ErrDown) })
			time.AfterFunc(time.Second, func() { close(back); f.sources[0].Up() })
		})}, "")
		at := [2]string{"build-7:/src", "x.md"}
		f.mu.Lock()
		f.texts[at] = &kept{etag: "a", text: "known"}
		f.mu.Unlock()
		if text, err := f.Text(at[0], at[1]); text != "known" || err != nil {
			t.Error(text, err)
		}
	})
}
