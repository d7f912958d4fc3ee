package demo

// This file writes what the loop produces: a guide to the birds of a garden.

import (
	"os"
	"strings"
	"time"
)

// guide is what stories/field-guide.yaml says of the loop.
type guide struct {
	Phases map[string]*chapter
	Birds  []map[string]string
}

// chapter is what comes of a phase.
type chapter struct {
	Produces         string           // its file
	Takes            time.Duration    // for each skill
	Metrics          []map[string]int // one each, in their order
	Begin, Each, End string
}

// chapter returns what is written in a file of the guide.
func (g *guide) chapter(file string) *chapter {
	for _, c := range g.Phases {
		if c.Produces == file {
			return c
		}
	}
	panic("demo: no phase of the loop produces " + file)
}

// renderGuide returns a deliverable, or what there is of it half-way.
func (b *Build) renderGuide(g *guide, file string, half bool) string {
	c, birds := g.chapter(file), g.Birds
	text := strings.ReplaceAll(c.Begin, "$day", b.day())
	if half {
		birds = birds[:len(birds)/2]
	}
	for _, bird := range birds {
		text += os.Expand(c.Each, func(key string) string {
			value, ok := bird[key]
			if !ok {
				value = bird[strings.ToLower(key)]
				value = strings.ToUpper(value[:1]) + value[1:]
			}
			return value
		})
	}
	if half {
		return text
	}
	return text + c.End
}
