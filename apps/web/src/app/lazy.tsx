import { ReloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ComponentType, lazy } from 'react'

export const chunkTimeoutMs = 120_000
const pausesMs = [400, 1200]

/** Tries to load three times with growing pauses; an attempt without result fails after two minutes. */
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

/** A lazily loaded part of the shell, or a page. */
interface Part<P> {
  name: string
  load: () => Promise<{ default: ComponentType<P> }>
}

/**
 * Components of preloaded chunks, rendered without Suspense. React shows content after a suspension no earlier than 300 ms after it began.
 * So a page that is already loaded would show its skeleton needlessly.
 */
const come = new Map<string, unknown>()
const made = new Map<string, unknown>()

/** Preloads a part before it is rendered. */
export async function comeAhead<P>(part: Part<P>): Promise<void> {
  if (!made.has(part.name)) come.set(part.name, (await patiently(part.load)).default)
}

/** A part's component; always the same one. A chunk that fails to load becomes an error panel, never an unhandled error. */
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
