/** Short messages at the top. antd's message lives in a React context; the root hands it in, so that plain functions can speak. */
type Tone = 'success' | 'error' | 'warning' | 'info'
type Sink = (tone: Tone, text: string) => void

let sink: Sink | undefined
export function setNotifier(next: Sink): void {
  sink = next
}

const say = (tone: Tone) => (text: string) => sink?.(tone, text)
export const notify = { success: say('success'), error: say('error'), warning: say('warning'), info: say('info') }
