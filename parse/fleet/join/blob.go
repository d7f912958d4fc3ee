// What is sent in parts, or to many: kept for a moment, so that its parts belong together and a tree is encoded once.

package join

import (
	"bytes"
	"compress/gzip"
	"sync"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fleet/wire"
)

const (
	// blobsKept bounds what is kept, in contents and in bytes, and blobKept for how long after it was last wanted.
	blobsKept = 512
	bytesKept = 32 << 20
	blobKept  = time.Minute
	// packFrom is from how many bytes on packing is worth it.
	packFrom = 1 << 10
)

// blob is one content.
type blob struct {
	etag   string
	data   []byte
	size   int // unpacked
	packed bool
	used   time.Time
}

// blobs are the contents that were wanted last. They are the host's, and locked with it.
type blobs struct {
	kept   map[string]*blob
	bytes  int
	making map[string]chan struct{} // closed when what has this hash was made
}

// packers are kept for the next content: each has tables of most of a megabyte.
var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level exists
	return w
}}

// newBlob packs a content.
func newBlob(content []byte) *blob {
	b := &blob{etag: statefile.Hash(string(content)), data: content, size: len(content)}
	if len(content) >= packFrom {
		var packed bytes.Buffer
		w := packers.Get().(*gzip.Writer)
		w.Reset(&packed)
		w.Write(content) // a buffer takes everything
		w.Close()
		packers.Put(w)
		b.data, b.packed = packed.Bytes(), true
	}
	return b
}

// keep keeps a content, and drops others where it gets too much.
func (bs *blobs) keep(b *blob) {
	b.used = time.Now()
	if old := bs.kept[b.etag]; old != nil {
		bs.drop(old)
	}
	bs.kept[b.etag] = b
	bs.bytes += len(b.data)
	for _, x := range bs.kept {
		if time.Since(x.used) > blobKept {
			bs.drop(x)
		}
	}
	for len(bs.kept) > blobsKept || bs.bytes > bytesKept {
		oldest := b
		for _, x := range bs.kept {
			if x.used.Before(oldest.used) {
				oldest = x
			}
		}
		bs.drop(oldest)
	}
}

func (bs *blobs) drop(b *blob) {
	delete(bs.kept, b.etag)
	bs.bytes -= len(b.data)
}

// send answers a request for a part of a content: of the one that make makes, or of one that was sent before.
func (h *Host) send(r *wire.Request, make func() ([]byte, error)) (*wire.Reply, []byte) {
	return h.sendKnown(r, "", make)
}

// sendKnown is [Host.send] for a content of which the hash may be known before it is made: many ask at once for what has changed, and it is made
// for the first of them.
func (h *Host) sendKnown(r *wire.Request, hash string, make func() ([]byte, error)) (*wire.Reply, []byte) {
	reply := &wire.Reply{Reply: r.Request}
	if hash != "" && r.Have == hash && r.Etag == "" {
		reply.Etag, reply.Same = hash, true
		return reply, nil
	}
	var b *blob
	if r.Etag != "" {
		if b = h.kept(r.Etag); b == nil {
			reply.Error = wire.EncodeError(&model.Refusal{Code: wire.CodeAgain, Text: "it has changed meanwhile", Fix: "ask for it from the beginning"})
			return reply, nil
		}
	} else {
		var err error
		b, err = h.made(hash, make)
		reply.Error = wire.EncodeError(err) // what there is of it is sent all the same
		if b == nil {
			return reply, nil
		}
		if r.Have == b.etag {
			reply.Etag, reply.Same = b.etag, true
			return reply, nil
		}
	}
	reply.Etag, reply.Size, reply.Packed = b.etag, b.size, b.packed
	reply.Parts = max(1, (len(b.data)+wire.PartSize-1)/wire.PartSize)
	if r.Part >= reply.Parts {
		reply.Error = wire.EncodeError(&model.Refusal{Text: "there is no such part"})
		return reply, nil
	}
	from := r.Part * wire.PartSize
	part := b.data[from:min(from+wire.PartSize, len(b.data))]
	if part == nil {
		part = []byte{}
	}
	return reply, part
}

// kept returns a content that is kept, nil where it is not.
func (h *Host) kept(hash string) *blob {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := h.blobs.kept[hash]
	if b != nil {
		b.used = time.Now()
	}
	return b
}

// made returns the content that make makes. It is kept where its hash was known, and where it has several parts; and one that is kept is not made
// again, nor by two at a time.
func (h *Host) made(hash string, make func() ([]byte, error)) (*blob, error) {
	if hash != "" {
		defer h.alone(hash)()
		if b := h.kept(hash); b != nil {
			return b, nil
		}
	}
	content, err := make()
	if content == nil && err != nil {
		return nil, err
	}
	b := newBlob(content)
	if b.etag == hash || len(b.data) > wire.PartSize {
		h.mu.Lock()
		h.blobs.keep(b)
		h.mu.Unlock()
	}
	return b, err
}

// alone waits until nobody else makes a content, and returns what is to be called when it is made.
func (h *Host) alone(hash string) (done func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.blobs.making[hash] != nil {
		others := h.blobs.making[hash]
		h.mu.Unlock()
		<-others
		h.mu.Lock()
	}
	mine := make(chan struct{})
	h.blobs.making[hash] = mine
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.blobs.making, hash)
		close(mine)
	}
}
