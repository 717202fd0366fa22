import { ReloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ComponentType, lazy } from 'react'

export const chunkTimeoutMs = 120_000
const pausesMs = [400, 1200]

/** Tries three times with growing pauses; a load that hangs counts as failed after two minutes. */
export async function patiently<T>(load: () => Promise<T>, pauses: readonly number[] = pausesMs, timeoutMs = chunkTimeoutMs): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await new Promise<T>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('chunk timed out')), timeoutMs)
        load()
          .then(resolve, reject)
          .finally(() => clearTimeout(timer))
      })
    } catch (error) {
      const pause = pauses[attempt]
      if (pause === undefined) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

function LoadFailed() {
  return (
    <div className="zg-state" role="alert">
      <strong>页面加载失败</strong>
      <div>网络不稳或系统刚更新过</div>
      <div className="acts">
        <Button type="primary" icon={<ReloadOutlined />} onClick={() => location.reload()}>
          重新加载
        </Button>
      </div>
    </div>
  )
}

/** Something of the frame, or a page, that is loaded when it is first wanted. */
interface Part<P> {
  name: string
  load: () => Promise<{ default: ComponentType<P> }>
}

/**
 * What came ahead is drawn at once. React shows what it had to wait for, however short, 300 ms after it began to wait at the earliest: a
 * page that is there already would stand behind its bones for nothing.
 */
const come = new Map<string, unknown>()
const made = new Map<string, unknown>()

/** Asks for a part before it is drawn. */
export async function comeAhead<P>(part: Part<P>): Promise<void> {
  if (!made.has(part.name)) come.set(part.name, (await patiently(part.load)).default)
}

/** A part's component, the same one for as long as the product is open. A chunk that does not come becomes a quiet panel, never an unhandled error. */
export function componentOf<P = object>(part: Part<P>): ComponentType<P> {
  const component = made.get(part.name) ?? come.get(part.name) ?? later(part)
  made.set(part.name, component)
  return component as ComponentType<P>
}

const later = <P,>(part: Part<P>) =>
  lazy(() =>
    patiently(part.load).catch(() => {
      made.delete(part.name)
      return { default: LoadFailed as ComponentType<P> }
    }),
  )
