package tty

// The screen as frames are drawn on it: on demand, and at no other time. The framework's own renderer checks thirty times a second
// whether there is anything to draw, which costs an idle dashboard most of its CPU time, and delays a change by half of that interval.

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Picture is the content of the screen.
type Picture struct {
	Frame string // lines of text with colors
	Title string // of the window
	Mouse bool   // the terminal reports the mouse
}

// Canvas is the screen of a terminal. Its methods may be called from several goroutines.
type Canvas struct {
	terminal *Terminal
	out      io.Writer
	env      uv.Environ

	mu            sync.Mutex
	console       uv.Console // nil if the keys do not come from a terminal
	on            bool       // the dashboard is on the screen
	profile       colorprofile.Profile
	width, height int
	cells         uv.ScreenBuffer
	screen        *uv.TerminalRenderer // knows the content of the terminal, and writes the changes
	written       bytes.Buffer         // by the renderer
	shown         Picture
	stale         bool // the terminal shows something else: the next picture is drawn whole
	atOnce        bool // the terminal can hold a frame back until it is complete
}

// NewCanvas returns the screen, which is not touched before [Canvas.Enter].
func (t *Terminal) NewCanvas(env []string, profile colorprofile.Profile) *Canvas {
	if env == nil {
		env = os.Environ()
	}
	c := &Canvas{terminal: t, out: t.Output(), env: uv.Environ(env), profile: profile}
	if t.keys != nil {
		screen := t.screen
		if screen == nil {
			screen = t.keys
		}
		c.console = uv.NewConsole(t.keys, screen, env)
	}
	c.width, c.height = t.Size()
	return c
}

// The modes of a dashboard's screen, and the sequences that reset them.
const (
	toDashboard = ansi.SetModeAltScreenSaveCursor + wholeScreen + asWritten + ansi.ResetModeTextCursorEnable + ansi.SetModeBracketedPaste + ansi.SetModeFocusEvent +
		ansi.SetModifyOtherKeys2 + "\x1b[>1u" + ansi.RequestKittyKeyboard
	fromDashboard = ansi.ResetModifyOtherKeys + "\x1b[<1u" + ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable +
		ansi.ResetModeBracketedPaste + ansi.ResetModeFocusEvent + noMouse + "\x1b]2;\a"
	// wholeScreen resets the modes of frames, and those that other programs leave: a scroll region, origin and insert mode, no wrapping.
	wholeScreen = "\x1b[r" + ansi.ResetModeOrigin + ansi.ResetModeInsertReplace + ansi.SetModeAutoWrap
	// asWritten resets the character set and the style: the bytes of a binary may have switched to line drawing.
	asWritten = "\x1b(B\x1b)B\x0f" + ansi.ResetStyle

	mouse   = ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr
	noMouse = ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr
)

// Enter takes the screen, and shows the last picture again.
func (c *Canvas) Enter() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.console != nil && c.terminal.ownsModes() {
		c.console.MakeRaw() // an error would come with every use, and is noticed then
	}
	c.on = true
	modes := toDashboard
	if answersModes(c.env) {
		modes += ansi.RequestModeSynchronizedOutput
	}
	io.WriteString(c.out, modes)
	c.newScreen()
	c.invalidate()
	c.draw(c.shown)
}

// newScreen creates the renderer that holds the cells of the screen.
func (c *Canvas) newScreen() {
	c.written = bytes.Buffer{}
	c.screen = uv.NewTerminalRenderer(&c.written, c.env)
	c.screen.SetColorProfile(c.profile)
	c.screen.SetFullscreen(true)
	c.screen.SetRelativeCursor(false)
	c.screen.SetTabStops(-1)
	c.screen.SetMapNewline(runtime.GOOS != "windows" && c.console == nil) // the line translates newlines itself
	c.screen.SetScrollOptim(runtime.GOOS != "windows")                    // some Windows terminals do it wrong
	c.cells = uv.NewScreenBuffer(c.width, c.height)
}

// Leave releases the screen. Pictures drawn until [Canvas.Enter] are not shown.
func (c *Canvas) Leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return
	}
	c.on = false
	io.WriteString(c.out, fromDashboard)
	if c.console != nil && c.terminal.ownsModes() {
		c.console.Restore()
	}
}

// Resize sets the size of the screen. Its content is not drawn before [Canvas.Draw].
func (c *Canvas) Resize(width, height int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.width, c.height = width, height
	c.invalidate()
}

// Redraw makes the next [Canvas.Draw] draw everything: some output was dropped, or the terminal shows something else.
func (c *Canvas) Redraw() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.invalidate()
}

// invalidate makes the next picture be drawn as a whole.
func (c *Canvas) invalidate() {
	if !c.on {
		return
	}
	c.stale = true
	c.screen.SetColorProfile(c.profile)
	c.screen.Resize(c.width, c.height)
	c.screen.Erase()
	c.cells.Touched = nil
	c.cells.Resize(c.width, c.height)
}

// SetMode records the terminal's answer about a mode.
func (c *Canvas) SetMode(mode ansi.Mode, value ansi.ModeSetting) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if mode == ansi.ModeSynchronizedOutput {
		c.atOnce = value == ansi.ModeReset
	}
}

// Write sends the terminal a sequence that displays nothing.
func (c *Canvas) Write(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.on {
		io.WriteString(c.out, text)
	}
}

// Draw shows a picture. It writes only the differences from the previous one.
func (c *Canvas) Draw(p Picture) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.on {
		c.draw(p)
	}
	c.shown = p
}

func (c *Canvas) draw(p Picture) {
	last, whole := c.shown, c.stale
	if c.stale = false; last == p && !whole {
		return
	}
	if whole || last.Mouse != p.Mouse {
		modes := noMouse
		if p.Mouse {
			modes = mouse
		}
		c.screen.WriteString(modes)
	}
	if whole || last.Title != p.Title {
		c.screen.WriteString(ansi.SetWindowTitle(p.Title))
	}
	if whole || last.Frame != p.Frame {
		c.cells.Clear()
		uv.NewStyledString(p.Frame).Draw(c.cells, c.cells.Bounds())
		c.screen.Render(c.cells.RenderBuffer)
	}
	c.screen.Flush() // into the buffer
	switch text := c.written.Bytes(); {
	case len(text) == 0:
	case c.atOnce:
		c.out.Write(slices.Concat([]byte(ansi.SetModeSynchronizedOutput), text, []byte(ansi.ResetModeSynchronizedOutput)))
	default:
		c.out.Write(text)
	}
	c.written.Reset()
}

// answersModes reports whether a terminal may be asked about modes: some print requests that they do not understand.
func answersModes(env uv.Environ) bool {
	for _, name := range []string{"ghostty", "wezterm", "alacritty", "kitty", "rio"} {
		if strings.Contains(env.Getenv("TERM"), name) {
			return true
		}
	}
	if _, windows := env.LookupEnv("WT_SESSION"); windows {
		return true
	}
	_, far := env.LookupEnv("SSH_TTY")
	return !far && !strings.Contains(env.Getenv("TERM_PROGRAM"), "Apple")
}
