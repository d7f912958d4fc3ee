package main

// This file draws several screens, one after the other and over again, as one SVG that moves by CSS alone: what stays the same is
// drawn once, and every other row has a class that shows it at its times. Where motion is not wanted, one screen stands still.

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// still is a screen of a reel.
type still struct {
	screen *screen
	key    string        // pressed just before, "" for none
	shown  time.Duration // for how long
}

// stands is the index of the screen that is shown if nothing moves: without CSS, or if no motion is wanted.
const stands = 0

// times is the screens of a reel on which something is to be seen.
type times []bool

// className names a set of times.
func (ts times) className() string {
	name := "s"
	for _, on := range ts {
		if on {
			name += "1"
		} else {
			name += "0"
		}
	}
	return name
}

// drawReel returns a picture. The same screens, all of one size, give the same bytes.
func drawReel(reel []still, p *palette, win window) string {
	var d strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&d, format+"\n", args...) }
	first := reel[0].screen
	var used []times
	// at draws something that is visible at some times.
	at := func(ts times, svg string) {
		if !slices.Contains(ts, false) {
			d.WriteString(svg)
			return
		}
		if !slices.ContainsFunc(used, func(u times) bool { return slices.Equal(u, ts) }) {
			used = append(used, ts)
		}
		line(`<g class="%s">`, ts.className())
		d.WriteString(svg)
		line(`</g>`)
	}
	for y := range first.rows {
		for _, v := range drawVersions(reel, func(s still) string { return drawRow(s.screen, y, p) }) {
			at(v.seen, v.svg)
		}
	}
	for _, v := range drawVersions(reel, func(s still) string { return drawKey(first.width, s.key, p) }) {
		at(v.seen, v.svg)
	}
	body := d.String()
	d.Reset()

	openSVG(line, first, p, win)
	line(`<style>`)
	for _, ts := range used {
		drawTimes(line, reel, ts)
	}
	line(`@media (prefers-reduced-motion: reduce) { g { animation: none !important } }`)
	line(`</style>`)
	d.WriteString(body)
	closeSVG(line)
	return d.String()
}

// version is one of the forms that something has during a reel.
type version struct {
	svg  string
	seen times
}

// drawVersions returns the forms that something has, each once, without those that draw nothing.
func drawVersions(reel []still, drawn func(still) string) (vs []version) {
	for i, s := range reel {
		svg := drawn(s)
		if svg == "" {
			continue
		}
		at := slices.IndexFunc(vs, func(v version) bool { return v.svg == svg })
		if at < 0 {
			at, vs = len(vs), append(vs, version{svg, make(times, len(reel))})
		}
		vs[at].seen[i] = true
	}
	return vs
}

// drawTimes draws the rules that show a class at its times.
func drawTimes(line func(string, ...any), reel []still, ts times) {
	var total, now time.Duration
	for _, s := range reel {
		total += s.shown
	}
	visible := func(on bool) string {
		if on {
			return "visible"
		}
		return "hidden"
	}
	frames := ""
	for i, s := range reel {
		if i == 0 || ts[i] != ts[i-1] {
			frames += fmt.Sprintf("%.4g%%{visibility:%s}", 100*now.Seconds()/total.Seconds(), visible(ts[i]))
		}
		now += s.shown
	}
	name := ts.className()
	line(`@keyframes %s{%s}`, name, frames)
	line(`.%s{visibility:%s;animation:%s %gs step-end infinite}`, name, visible(ts[stands]), name, total.Seconds())
}

// drawKey draws a key that was pressed, in the window's title bar.
func drawKey(width int, key string, p *palette) string {
	if key == "" {
		return ""
	}
	const w = 24
	left := width*cellWidth + 2*margin - w - 10
	return fmt.Sprintf(`<rect x="%d.5" y="4.5" width="%d" height="20" rx="4" fill="%s" stroke="%s"/>`+"\n"+
		`<text x="%d" y="19" text-anchor="middle" font-weight="bold" fill="%s">%s</text>`+"\n",
		left, w, p.bg, p.title, left+w/2, p.fg, escapeXML(key))
}
