// Where a hub keeps what hosts have said.

package link

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gatehouse/parse/fleet/wire"
)

// keepFor is how long a hub keeps what a host has said last: one that was switched off a week ago is no part of the queue.
const keepFor = 7 * 24 * time.Hour

// bucket is how what is said is kept.
func (h Hub) bucket() jetstream.KeyValueConfig {
	return jetstream.KeyValueConfig{
		Bucket: wire.Bucket, Description: "what gatehouse's hosts have said last; may be deleted at any time", MaxValueSize: wire.SummaryLimit + 1024,
		History: 1, TTL: keepFor, Storage: jetstream.FileStorage, Replicas: max(1, h.Replicas),
	}
}

// open returns the bucket and how it is, and makes it where there is none: hosts may not. It fails where what is in it is not to be believed.
func (h Hub) open(ctx context.Context, nc *nats.Conn) (jetstream.KeyValue, *jetstream.StreamInfo, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, nil, err
	}
	kv, err := js.KeyValue(ctx, wire.Bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = js.CreateKeyValue(ctx, h.bucket())
	}
	if err != nil {
		return nil, nil, untold(err)
	}
	status, err := kv.Status(ctx)
	if err != nil {
		return nil, nil, untold(err)
	}
	info := status.(*jetstream.KeyValueBucketStatus).StreamInfo() // it is what there is for JetStream
	if forges(&info.Config) {
		return nil, nil, fmt.Errorf("what the hub keeps may be said by others than hosts, and is not believed; have its bucket removed: nats stream rm KV_%s", wire.Bucket)
	}
	return kv, info, nil
}

// untold says why it is not known what a hub keeps.
func untold(err error) error { return fmt.Errorf("the hub does not tell what it keeps: %w", said(err)) }

// forges reports whether a stream keeps under a key of ours what was published elsewhere, where the hub lets others publish than the host of that
// key. Whoever comes first makes the bucket, and may make it so.
func forges(c *jetstream.StreamConfig) bool {
	return !slices.Equal(c.Subjects, []string{wire.KeySubjects + ">"}) || c.Mirror != nil || len(c.Sources) > 0 || c.SubjectTransform != nil || c.RePublish != nil
}
