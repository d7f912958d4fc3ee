// What is sent in parts, kept for a moment so that its parts belong together.

package join

import (
	"bytes"
	"compress/gzip"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fleet/wire"
)

const (
	// blobsKept bounds what is kept, in contents and in bytes, and blobKept for how long after it was last wanted.
	blobsKept = 32
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
	kept  map[string]*blob
	bytes int
}

// newBlob packs a content.
func newBlob(content []byte) *blob {
	b := &blob{etag: statefile.Hash(string(content)), data: content, size: len(content)}
	if len(content) >= packFrom {
		var packed bytes.Buffer
		w, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // the level exists
		w.Write(content)                                     // a buffer takes everything
		w.Close()
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
	reply := &wire.Reply{Reply: r.Request}
	var b *blob
	if r.Etag != "" {
		h.mu.Lock()
		if b = h.blobs.kept[r.Etag]; b != nil {
			b.used = time.Now()
		}
		h.mu.Unlock()
		if b == nil {
			reply.Error = wire.EncodeError(&model.Refusal{Code: wire.CodeAgain, Text: "it has changed meanwhile", Fix: "ask for it from the beginning"})
			return reply, nil
		}
	} else {
		content, err := make()
		reply.Error = wire.EncodeError(err) // what there is of it is sent all the same
		if content == nil && err != nil {
			return reply, nil
		}
		b = newBlob(content)
		if r.Have == b.etag {
			reply.Etag, reply.Same = b.etag, true
			return reply, nil
		}
		if len(b.data) > wire.PartSize {
			h.mu.Lock()
			h.blobs.keep(b)
			h.mu.Unlock()
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
