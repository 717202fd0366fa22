import { listViews, viewKinds, viewList } from '@zhugong/contract/monitoring/video/video'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'

const kinds = Object.entries(viewKinds).map(([value, label]) => ({ value, label }))

/** Number of camera views today. */
export function useLooksToday(projectCode: string) {
  const { data } = useCall(listViews, { query: { projectCode, size: 1 } }, { quiet: true, everyMs: 60_000 })
  return data?.today
}

/** Log of camera views: visible to the site, and viewers know that. */
export function ViewLog({ projectCode }: { projectCode: string }) {
  const list = useListPage(viewList, { scope: { projectCode }, own: ['views'], defaultSort: '-lastAt' })
  const columns: ColumnOf<typeof viewList>[] = [
    { key: 'lastAt', width: 152, locked: true, sort: true, filter: 'date-range', value: (r) => time(r.lastAt) },
    ...(projectCode === '*' ? [{ key: 'projectName' as const, width: 180, value: (r: (typeof list.rows)[number]) => r.projectName }] : []),
    { key: 'deviceName', width: 140, filter: 'text', value: (r) => r.deviceName },
    { key: 'kind', width: 84, filter: 'multi', options: kinds, value: (r) => viewKinds[r.kind] },
    { key: 'userName', width: 96, filter: 'text', value: (r) => r.userName },
    { key: 'groupName', width: 220, filter: 'text', value: (r) => r.groupName },
    { key: 'reason', width: 180, weak: true, value: (r) => r.reason },
  ]
  return <DataTable list={list} columns={columns} unit="次" emptyHint="有人播放、回放或下载本项目的视频后，记录出现在这里" />
}
