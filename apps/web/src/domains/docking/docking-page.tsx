import { listKeys } from '@zhugong/contract/docking/below'
import { Segmented } from 'antd'
import { type ComponentType, lazy, Suspense, useMemo } from 'react'
import { useCan } from '#kit/can.tsx'
import { TableSkeleton } from '#kit/feedback.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { OverviewTab } from './overview-tab.tsx'
import type { TabProps } from './tab-props.ts'
import './docking.css'

const BelowTab = lazy(() => import('./below-tab.tsx').then((file) => ({ default: file.BelowTab })))
const CausesTab = lazy(() => import('./causes-tab.tsx').then((file) => ({ default: file.CausesTab })))
const MappingTab = lazy(() => import('./mapping-tab.tsx').then((file) => ({ default: file.MappingTab })))
const PlatformsTab = lazy(() => import('./platforms-tab.tsx').then((file) => ({ default: file.PlatformsTab })))
const QueueTab = lazy(() => import('./queue-tab.tsx').then((file) => ({ default: file.QueueTab })))

const all: readonly { value: string; label: string; Tab: ComponentType<TabProps>; needs?: 'edit' | 'receive' }[] = [
  { value: 'overview', label: '总览', Tab: OverviewTab },
  { value: 'platform', label: '对接平台', Tab: PlatformsTab, needs: 'edit' },
  { value: 'mapping', label: '字段映射', Tab: MappingTab, needs: 'edit' },
  { value: 'queue', label: '发送队列', Tab: QueueTab },
  { value: 'cause', label: '回执与错误', Tab: CausesTab },
  { value: 'below', label: '下级接入', Tab: BelowTab, needs: 'receive' },
]

/** Uploads to the government platforms above: what arrived, and what must be fixed. */
export default function DockingPage() {
  const go = useGo()
  const page = usePage()
  const requested = usePageQuery().get('tab')
  const edits = useCan('docking.edit')
  const receives = useCan(listKeys)
  const shown = useMemo(
    () => all.filter(({ needs }) => (needs === 'edit' ? edits : needs === 'receive' ? receives : true)),
    [edits, receives],
  )
  const open = shown.find(({ value }) => value === requested) ?? all[0]
  if (!open) return null
  const tabs = (
    <Segmented
      aria-label="监管对接"
      options={shown.map(({ value, label }) => ({ value, label }))}
      value={open.value}
      onChange={(tab) => go(page.path, { tab }, { replace: true })}
    />
  )
  return (
    <Suspense fallback={<TableSkeleton />}>
      <open.Tab tabs={tabs} />
    </Suspense>
  )
}
