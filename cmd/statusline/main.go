// Command statusline prints the state of the build in this directory as one line for a shell prompt.
//
// It runs at every prompt, so startup time is its cost: it imports only what it needs (a test checks the whole
// closure), reads a few files, and writes once. Rendering always exits 0; if there is nothing to show, it prints
// nothing.
package main

import (
	"runtime"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/nearest"
	"gatehouse/statusline"
)

func main() {
	growStack(false)
	exitWith(run(programArgs()))
}

// growStack makes the runtime grow the stack once, while it is shallow, to a size that is enough for the whole run. Growing it in four
// steps, each from a deeper call, costs up to a tenth of the run. The room is never used.
//
//go:noinline
func growStack(uses bool) byte {
	if !uses {
		return 0
	}
	var room [24 << 10]byte
	for i := range room {
		room[i] = byte(i)
	}
	return room[len(room)-1]
}

// run carries out the command line and returns the exit code: 0, or 2 for wrong arguments.
func run(args []string) (code int) {
	command, problem := statusline.ParseFlags(args)
	switch {
	case problem != "":
		writeOut(stderr, []byte("statusline: "+problem+"\n"))
		return 2
	case command.Help:
		writeOut(stdout, []byte(statusline.Help()))
		return 0
	case command.Version:
		writeOut(stdout, []byte(statusline.VersionLine()))
		return 0
	case command.Init != "":
		writeOut(stdout, []byte(statusline.Integration(command.Init, programPath())))
		return 0
	}
	command.ReadEnvironment(lookupEnv)
	place := nearest.Place{Dir: workingDir(), Home: homeDir(), Env: lookupEnv, Now: unixNow}
	place.Asks = waiting.StorePath(runtime.GOOS == "windows", place.Home, lookupEnv)
	if command.Dir != "" {
		place.Dir = peek.Absolute(command.Dir, place.Dir)
	}
	command.Environment = programEnv()
	var line statusline.Line
	var input []byte
	if command.Agent() {
		input = statusline.ReadInput(stdin)
		line = statusline.AgentLine(&place, input, &command)
	} else {
		line = statusline.ReadLine(place, command.Options)
	}
	if command.Explain {
		writeOut(stderr, line.AppendExplanation(nil, place.Dir))
	}
	text := line.Text
	if command.JSON {
		text = line.AppendJSON(nil)
	}
	if len(text) > 0 {
		writeOut(stdout, text)
	}
	keepStatus(place.Asks, line.Session, input)
	return 0
}

// abandonedAfter is how many seconds old a temporary file of a process that died is.
const abandonedAfter = 30

// keepStatus stores the JSON that an agent sent to its status line. It goes to the store of live agents, one file per
// session, which the dashboard reads: its modification time shows that the session is alive. Failures are silent.
func keepStatus(store, session string, status []byte) {
	if store == "" || session == "" {
		return
	}
	dir := peek.Join(store, "statusline")
	if makePrivate(store) && makePrivate(dir) {
		replaceFile(peek.Join(dir, waiting.Key("claude "+session)+".json"), status)
	}
}
