package tui

// Keeping things together: pages are laid out anew where what they show has changed, and windows follow selections.

import (
	"time"

	"gatehouse/model"
)

// pageKey says what a page was laid out for. While it stays the same, so does the page. A page that is out of view is kept as
// long as that lasts: its key leads to nothing of the snapshot, which would stay in memory with it.
type pageKey struct {
	shown  uint64 // which snapshot, see [dashboard.shown]
	look   *look
	at     place
	told   toldKey
	filter uint64 // revision of the filter
	width  int
	inView panesInView
}

// kept returns the key as it is remembered.
func (k pageKey) kept() pageKey {
	k.at = k.at.clone()
	return k
}

// toldKey tells what agents have told apart; the zero value is nothing.
type toldKey struct {
	at   time.Time
	text string
}

func keyOfTold(a *model.Activity) toldKey {
	if a == nil {
		return toldKey{}
	}
	return toldKey{a.At, a.Kind + ": " + a.Text}
}

// pageKeys are those of the pages that are laid out.
type pageKeys struct{ detail, waits, blockers, decisions, metrics, inbox pageKey }

// settle makes everything fit together after something changed.
func (d *dashboard) settle() {
	if d.screen.kind == tooSmall {
		d.fitGraph() // keys go through it, seen or not
		return
	}
	height := func(p pane) int { return d.screen.inner(p).height }
	d.tree.fit(height(paneTree))
	d.timeline.fit(height(paneTimeline))
	d.file.fit(height(paneFile))
	d.layLists() // before the details, which may be about what is selected in them
	d.layDetails()
	d.waits.fit(height(paneWaits))
	d.blockers.fit(height(paneBlockers))
	d.decisions.fit(height(paneDecisions))
	d.metrics.fit(height(paneMetrics))
	d.inbox.fit(height(paneInbox))
	d.fitGraph()
	d.detail.fit(height(paneDetail))
}

func (d *dashboard) layLists() {
	at, _ := d.tree.at()
	if d.inView(paneWaits) {
		key := pageKey{shown: d.shown, look: d.look, width: d.screen.inner(paneWaits).pageWidth()}
		if at.site != nil {
			key.at = at.site.place("")
		}
		if key != d.pages.waits {
			d.waits.set(waitsPage(d.look, d.index, at.site, key.width), false)
			d.pages.waits = key.kept()
		}
	}
	if d.inView(paneBlockers) {
		key := pageKey{shown: d.shown, look: d.look, width: d.screen.inner(paneBlockers).pageWidth()}
		if key != d.pages.blockers {
			d.blockers.set(blockersPage(d.look, d.index, key.width), false)
			d.pages.blockers = key.kept()
		}
	}
	if d.inView(paneDecisions) {
		key := pageKey{shown: d.shown, look: d.look, width: d.screen.inner(paneDecisions).pageWidth()}
		if key != d.pages.decisions {
			d.decisions.set(decisionsPage(d.look, d.index, key.width), false)
			d.pages.decisions = key.kept()
		}
	}
	if d.inView(paneMetrics) && at.site != nil {
		key := pageKey{shown: d.shown, look: d.look, at: at.site.place(""), width: d.screen.inner(paneMetrics).pageWidth()}
		if key != d.pages.metrics {
			d.metrics.set(metricsPage(d.look, at.site, key.width), key.at != d.pages.metrics.at)
			d.pages.metrics = key.kept()
		}
	}
	if d.inView(paneInbox) {
		key := pageKey{shown: d.shown, look: d.look, filter: d.inbox.filtered, width: d.screen.inner(paneInbox).pageWidth()}
		if key != d.pages.inbox {
			d.inbox.set(d.inbox.page(d.look, key.width), false)
			d.pages.inbox = key.kept()
		}
	}
}

func (d *dashboard) layDetails() {
	s, ok := d.subject()
	if !ok || !d.inView(paneDetail) {
		return
	}
	key := pageKey{shown: d.shown, look: d.look, at: s.place(), told: keyOfTold(s.told), width: d.screen.inner(paneDetail).pageWidth(),
		inView: panesInView{d.inView(paneWaits), d.inView(paneBlockers), d.inView(paneMetrics)}}
	if key == d.pages.detail {
		return
	}
	var p *page
	if s.told != nil {
		p = activityPage(d.look, s.site, s.told, key.width)
	} else if s.node == nil {
		p = overviewPage(d.look, d.index, s.site, key.width, key.inView, d.offers(target{site: s.site}.can()))
	} else {
		p = detailPage(d.look, d.index, s.site, s.node, key.width, d.offers(target{s.site, s.node}.can()))
	}
	d.detail.set(p, key.at != d.pages.detail.at || key.told != d.pages.detail.told)
	d.pages.detail = key.kept()
}
