package tui

import (
	"time"

	"github.com/charmbracelet/colorprofile"

	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

// testOptions are the options of a wide terminal with all colors.
func testOptions(theme draw.Theme) Options {
	return Options{
		Clock:     func() time.Time { return tuitest.Noon },
		Theme:     theme,
		Profile:   colorprofile.TrueColor,
		TitlePath: "~/src/shop",
		Empty: Empty{
			LooksFor: "Looked for .planning/STATE.md here and above.",
			Try:      []Try{{"claude", "its session appears at once"}, {"gatehouse demo", "a simulated build that moves"}},
		},
	}
}

func plainOptions() Options {
	o := testOptions(draw.ThemeMono)
	o.Profile = colorprofile.Unknown
	return o
}
