package tui

// Keeping things together: pages are laid out anew where what they show has changed, and windows follow selections.

// pageKey says what a page was laid out for. While it stays the same, so does the page.
type pageKey struct {
	index  *index
	look   *look
	at     place
	width  int
	inView panesInView
}

// pageKeys are those of the pages that are laid out.
type pageKeys struct{ detail, waits, blockers, decisions pageKey }

// settle makes everything fit together after something changed.
func (d *dashboard) settle() {
	if d.screen.kind == tooSmall {
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
	d.detail.fit(height(paneDetail))
}

func (d *dashboard) layLists() {
	at, _ := d.tree.at()
	if d.inView(paneWaits) {
		key := pageKey{index: d.index, look: d.look, width: d.screen.inner(paneWaits).pageWidth()}
		if at.site != nil {
			key.at = at.site.place("")
		}
		if key != d.pages.waits {
			d.waits.set(waitsPage(d.look, d.index, at.site, key.width), false)
			d.pages.waits = key
		}
	}
	if d.inView(paneBlockers) {
		key := pageKey{index: d.index, look: d.look, width: d.screen.inner(paneBlockers).pageWidth()}
		if key != d.pages.blockers {
			d.blockers.set(blockersPage(d.look, d.index, key.width), false)
			d.pages.blockers = key
		}
	}
	if d.inView(paneDecisions) {
		key := pageKey{index: d.index, look: d.look, width: d.screen.inner(paneDecisions).pageWidth()}
		if key != d.pages.decisions {
			d.decisions.set(decisionsPage(d.look, d.index, key.width), false)
			d.pages.decisions = key
		}
	}
}

func (d *dashboard) layDetails() {
	s, ok := d.subject()
	if !ok || !d.inView(paneDetail) {
		return
	}
	key := pageKey{d.index, d.look, s.place(), d.screen.inner(paneDetail).pageWidth(), panesInView{d.inView(paneWaits), d.inView(paneBlockers)}}
	if key == d.pages.detail {
		return
	}
	var p *page
	if s.node == nil {
		p = overviewPage(d.look, d.index, s.site, key.width, key.inView, d.offers(target{site: s.site}.can()))
	} else {
		p = detailPage(d.look, d.index, s.site, s.node, key.width, d.offers(target{s.site, s.node}.can()))
	}
	d.detail.set(p, key.at != d.pages.detail.at)
	d.pages.detail = key
}
