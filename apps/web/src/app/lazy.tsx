import { ReloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { PageEntry } from '#kit/pages.ts'

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

const made = new Map<string, LazyExoticComponent<ComponentType>>()

/** A page's component. A chunk that does not come becomes a quiet panel, never an unhandled error. */
export function componentOf(entry: PageEntry): ComponentType {
  let component = made.get(entry.name)
  if (!component) {
    component = lazy(() =>
      patiently(entry.load).catch(() => {
        made.delete(entry.name)
        return { default: LoadFailed }
      }),
    )
    made.set(entry.name, component)
  }
  return component
}
