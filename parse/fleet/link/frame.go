// The form of what goes through a pair of pipes: a line that says that this is it, then frames. Each is one line of JSON, and
// as many bytes as it says.
//
//	gatehouse-join 1
//	{"frame":"say","key":"gh.build-8","size":231}        host → dashboard, what is published on a hub
//	{"frame":"ask","id":1,"changes":true,"size":310}     dashboard → host
//	{"frame":"answer","id":1,"size":512}                 host → dashboard

package link

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gatehouse/parse/fleet/wire"
)

const (
	greeting = "gatehouse-join "
	// bannerLimit is how much may come before it: shells and hosts greet, too.
	bannerLimit = 64 << 10
	// frameLine is the longest line of a frame.
	frameLine = 4 << 10
)

// The kinds of frames.
const (
	frameSay    = "say"
	frameAsk    = "ask"
	frameAnswer = "answer"
)

// frame is one of them.
type frame struct {
	Frame   string `json:"frame"`
	Key     string `json:"key,omitempty"`
	ID      uint64 `json:"id,omitempty"`
	Changes bool   `json:"changes,omitempty"`
	Size    int    `json:"size"`
	data    []byte
}

// writeFrame writes a frame by one call.
func writeFrame(w io.Writer, f frame) error {
	f.Size = len(f.data)
	head, err := json.Marshal(f)
	if err != nil {
		return err
	}
	_, err = w.Write(append(append(head, '\n'), f.data...))
	return err
}

// readFrame reads a frame, and refuses what is none.
func readFrame(r *bufio.Reader) (f frame, err error) {
	head, err := readLine(r, frameLine)
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(head, &f); err != nil || f.Size < 0 || f.Size > wire.ReplyLimit {
		return f, errors.New("what comes is not what gatehouse join says")
	}
	f.data = make([]byte, f.Size)
	_, err = io.ReadFull(r, f.data)
	return f, err
}

// readLine reads a line of at most limit bytes, without its end.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var text []byte
	for {
		piece, err := r.ReadSlice('\n')
		if len(text)+len(piece) > limit {
			return nil, errors.New("a line is too long")
		}
		text = append(text, piece...)
		if err == nil {
			return bytes.TrimRight(text, "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

// readGreeting reads up to the line that frames follow, and returns what stood before it. It fails where the other end speaks something newer.
func readGreeting(r *bufio.Reader) (before string, err error) {
	for read := 0; read < bannerLimit; {
		line, err := readLine(r, bannerLimit)
		if err != nil {
			return before, err
		}
		read += len(line) + 1
		version, ok := strings.CutPrefix(string(line), greeting)
		if !ok {
			if len(line) > 0 {
				before = string(line)
			}
			continue
		}
		if n, err := strconv.Atoi(version); err != nil || n != wire.Version {
			return before, fmt.Errorf("it speaks form %.10q, this gatehouse %d; update the older one", version, wire.Version)
		}
		return before, nil
	}
	return before, errors.New("nothing of gatehouse's comes from there")
}
