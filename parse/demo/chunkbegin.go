package demo

// This file writes what the build in chunks begins with.

import (
	"fmt"
	"time"
)

// The run as the demo begins: two chunks are built, one of them against an older specification, the third is under way.
const (
	runAgo    = 34 * time.Minute
	scaleAgo  = 25 * time.Minute
	landedAgo = 11 * time.Minute
	seedAgo   = 2 * time.Minute
)

// begin writes a run that is under way, and the files beside it.
func (a *feederAgent) begin() error {
	*a = *newFeederAgent(a.b)
	defer func() { a.b.ago = 0 }()
	s := &feeder{SpecVersion: specBefore, ReadinessSummary: members[int]{}}
	a.b.ago = runAgo
	a.begins(s)
	for i, c := range []struct {
		ago, takes time.Duration
		spec       string
	}{{scaleAgo, 6 * time.Minute, specBefore}, {landedAgo, 12 * time.Minute, specNow}} {
		a.b.ago = c.ago + c.takes
		a.start(s, i)
		a.b.ago, s.SpecVersion = c.ago, c.spec
		a.built(s, i)
	}
	a.b.ago = seedAgo
	a.start(s, 2)
	for _, file := range []struct {
		ago        time.Duration
		name, text string
	}{
		{9 * day, feederConfig, "{\n  \"versions\": {\n    \"external\": {\n      \"type\": \"external\",\n      \"current\": \"0.6.0\"\n    },\n    \"spec\": {\n      \"type\": \"internal\",\n      \"current\": \"" + specNow + "\"\n    }\n  }\n}\n"},
		{40 * time.Minute, feederSpec, renderSpec()},
	} {
		a.b.ago = file.ago
		if err := a.b.writeFile(file.name, file.text); err != nil {
			return err
		}
	}
	if err := a.beginInbox(); err != nil {
		return err
	}
	a.b.ago = seedAgo
	return a.save(s)
}

// beginInbox writes the inbox with what was put into it before.
func (a *feederAgent) beginInbox() error {
	var items []entry
	for _, x := range []struct {
		ago                            time.Duration
		random, kind, content, summary string
	}{
		{50 * time.Hour, "k7p2wd", "reference", "https://example.org/how-much-does-a-robin-weigh", "Weights of forty garden birds, by season."},
		{76 * time.Hour, "m3xq9a", "feature", "Say good night to the last visitor", "Kept for the next version."},
	} {
		a.b.ago = x.ago
		var e entry
		for _, m := range []member[string]{
			{"id", fmt.Sprintf("inbox-%d-%s", a.b.when().UnixMilli(), x.random)}, {"type", x.kind}, {"content", x.content},
			{"timestamp", a.b.when().UTC().Format("2006-01-02T15:04:05.000Z")}, {"status", "processed"},
		} {
			if err := say(&e, m.key, m.value); err != nil {
				return err
			}
		}
		raw, err := marshal(map[string]string{"summary": x.summary})
		if err != nil {
			return err
		}
		*e.at("analysis") = raw
		items = append(items, e)
	}
	content, err := text(items)
	if err != nil {
		return err
	}
	a.b.ago = 50 * time.Hour
	return a.b.writeFile(feederInbox, content+"\n")
}
