// Gatehouse's plugin for opencode, made by "gatehouse install opencode": it is replaced as a whole.
//
// It hands opencode's events on to "gatehouse hook opencode". What that prints is a human's answer, and goes to opencode's own server;
// the prompt in opencode stays open beside it, and whoever answers first wins.
import { spawn } from "node:child_process"

const program = "gatehouse"

// The hooks that wait for an answer, by the request they are about.
const waiting = new Map()

function run(event, directory, done) {
  const child = spawn(program, ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"] })
  let printed = ""
  child.on("error", () => {}) // gatehouse is not there: opencode asks by itself
  child.stdin.on("error", () => {})
  child.stdout.on("data", (text) => (printed += text))
  child.on("close", () => done && done(printed))
  child.stdin.end(JSON.stringify({ type: event.type, properties: event.properties, directory }))
  return child
}

export const Gatehouse = async ({ client, directory }) => {
  const reply = (url, requestID, body) =>
    client._client
      .post({ url, path: { requestID }, headers: { "content-type": "application/json" }, body })
      .catch(() => {}) // it was answered in opencode meanwhile
  const busy = new Set()

  return {
    event: async ({ event }) => {
      const about = event.properties || {}
      switch (event.type) {
        case "permission.asked":
        case "question.asked": {
          const kind = event.type.split(".")[0]
          const child = run(event, directory, (printed) => {
            waiting.delete(about.id)
            let answer
            try {
              answer = JSON.parse(printed)
            } catch {
              return // nobody has answered here
            }
            if (answer.reject) reply("/question/{requestID}/reject", about.id)
            else reply(`/${kind}/{requestID}/reply`, about.id, answer)
          })
          waiting.set(about.id, child)
          break
        }
        case "permission.replied":
        case "question.replied":
        case "question.rejected":
          waiting.get(about.requestID)?.kill("SIGTERM")
          break
        case "session.status":
          if (about.status?.type !== "busy" || busy.has(about.sessionID)) break
          busy.add(about.sessionID)
          run(event, directory)
          break
        case "session.idle":
        case "session.error":
          busy.delete(about.sessionID)
          run(event, directory)
          break
        case "session.created":
        case "session.deleted":
          run(event, directory)
          break
      }
    },
  }
}
