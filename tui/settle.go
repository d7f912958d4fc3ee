package tui

// Keeping things together: pages are laid out anew where what they show has changed, and windows follow selections.

import (
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// pageKey says what a page was laid out for. While it stays the same, so does the page. A page that is out of view is kept as
// long as that lasts: its key leads to nothing of the snapshot, which would stay in memory with it.
type pageKey struct {
	shown    uint64 // which snapshot, see [dashboard.shown]
	look     *draw.Look
	at       index.Place
	activity activityKey
	filter   uint64 // revision of the filter
	width    int
	inView   panesInView
}

// kept returns the key as it is remembered.
func (k pageKey) kept() pageKey {
	k.at = k.at.Clone()
	return k
}

// activityKey tells what agents have told apart; the zero value is nothing.
type activityKey struct {
	at   time.Time
	text string
}

func keyOfActivity(a *model.Activity) activityKey {
	if a == nil {
		return activityKey{}
	}
	return activityKey{a.At, a.Kind + ": " + a.Text}
}

// pageKeys are those of the pages that are laid out.
type pageKeys struct{ detail, waits, blockers, decisions, metrics, inbox pageKey }

// settle makes everything fit together after something changed.
func (d *dashboard) settle() {
	if d.screen.kind == tooSmall {
		d.fitGraph() // keys go through it, seen or not
		return
	}
	height := func(p pane) int { return d.screen.inner(p).Height }
	d.tree.fit(height(paneTree))
	d.timeline.fit(height(paneTimeline))
	d.file.fit(height(paneFile))
	d.layLists() // before the details, which may be about what is selected in them
	d.layDetails()
	d.waits.Fit(height(paneWaits))
	d.blockers.Fit(height(paneBlockers))
	d.decisions.Fit(height(paneDecisions))
	d.metrics.Fit(height(paneMetrics))
	d.inbox.fit(height(paneInbox))
	d.fitGraph()
	d.detail.Fit(height(paneDetail))
}

func (d *dashboard) layLists() {
	at, _ := d.tree.at()
	if d.inView(paneWaits) {
		key := pageKey{shown: d.shown, look: d.look, width: d.screen.inner(paneWaits).PageWidth()}
		if at.Site != nil {
			key.at = at.Site.Place("")
		}
		if key != d.pages.waits {
			d.waits.Set(waitsPage(d.look, d.index, at.Site, key.width).Page, false)
			d.pages.waits = key.kept()
		}
	}
	if d.inView(paneBlockers) {
		key := pageKey{shown: d.shown, look: d.look, width: d.screen.inner(paneBlockers).PageWidth()}
		if key != d.pages.blockers {
			d.blockers.Set(blockersPage(d.look, d.index, key.width).Page, false)
			d.pages.blockers = key.kept()
		}
	}
	if d.inView(paneDecisions) {
		key := pageKey{shown: d.shown, look: d.look, width: d.screen.inner(paneDecisions).PageWidth()}
		if key != d.pages.decisions {
			d.decisions.Set(decisionsPage(d.look, d.index, key.width).Page, false)
			d.pages.decisions = key.kept()
		}
	}
	if d.inView(paneMetrics) && at.Site != nil {
		key := pageKey{shown: d.shown, look: d.look, at: at.Site.Place(""), width: d.screen.inner(paneMetrics).PageWidth()}
		if key != d.pages.metrics {
			d.metrics.Set(metricsPage(d.look, at.Site, key.width).Page, key.at != d.pages.metrics.at)
			d.pages.metrics = key.kept()
		}
	}
	if d.inView(paneInbox) {
		key := pageKey{shown: d.shown, look: d.look, filter: d.inbox.filtered, width: d.screen.inner(paneInbox).PageWidth()}
		if key != d.pages.inbox {
			d.inbox.Set(d.inbox.page(d.look, key.width).Page, false)
			d.pages.inbox = key.kept()
		}
	}
}

func (d *dashboard) layDetails() {
	s, ok := d.subject()
	if !ok || !d.inView(paneDetail) {
		return
	}
	key := pageKey{shown: d.shown, look: d.look, at: s.Place(), activity: keyOfActivity(s.activity), width: d.screen.inner(paneDetail).PageWidth(),
		inView: panesInView{d.inView(paneWaits), d.inView(paneBlockers), d.inView(paneMetrics)}}
	if key == d.pages.detail {
		return
	}
	var p *page
	if s.activity != nil {
		p = activityPage(d.look, s.Site, s.activity, key.width)
	} else if s.Node == nil {
		p = overviewPage(d.look, d.index, s.Site, key.width, key.inView, d.offers(target{site: s.Site}.can()))
	} else {
		p = detailPage(d.look, d.index, s.Site, s.Node, key.width, d.offers(target{s.Site, s.Node}.can()))
	}
	d.detail.Set(p.Page, key.at != d.pages.detail.at || key.activity != d.pages.detail.activity)
	d.pages.detail = key.kept()
}
