import { listDocumentFolders, type Space } from '@zhugong/contract/documents/calls'
import { type ReactNode, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Filled } from '#kit/filled.tsx'
import { fileSize } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import { paths } from './document-words.tsx'
import { nodesOf, placeOfKey, selectedKey } from './space-tree.ts'
import './documents.css'

/** Opens a space or folder: the list's other conditions do not go along. */
export function useOpenPlace() {
  const go = useGo()
  return (space: Space, parentId?: string, project?: string) => go(paths.list, { space, parentId, project })
}

interface SpacesProps {
  space: Space
  parentId: string | null
  projectCode: string
  quota: { used: number; most: number } | undefined
}
export function Spaces({ space, parentId, projectCode, quota }: SpacesProps) {
  const header = useProjectCode()
  const project = usePageQuery().get('project')
  const open = useOpenPlace()
  const own = useCall(listDocumentFolders, { query: { projectCode: '*', space: 'own' } }, { quiet: true })
  const all = useCall(listDocumentFolders, { query: { projectCode: '*', space: 'project' } }, { quiet: true, enabled: header === '*' })
  const one = useCall(
    listDocumentFolders,
    { query: { projectCode, space: 'project' } },
    { quiet: true, enabled: projectCode !== '*', keepPrevious: true },
  )
  return (
    <SidePanel
      title="目录"
      closed
      nodes={nodesOf(own.data, one.data, header === '*' ? all.data : undefined, project)}
      selected={selectedKey(space, parentId, project)}
      searchPlaceholder="目录或项目名称"
      onSelect={(key) => {
        if (!key) return
        const to = placeOfKey(key)
        open(to.space, to.parentId, to.project ?? (to.space === 'project' && to.parentId ? (project ?? undefined) : undefined))
      }}
      footer={
        <div>
          本机构空间
          <Filled part={quota?.used ?? 0} whole={quota?.most ?? 1} />
          <span className="zg-2">
            已用 {fileSize(quota?.used)}，剩余 {fileSize(quota && quota.most - quota.used)}
          </span>
        </div>
      }
    />
  )
}

/** Takes files and folders that are dropped on the list. */
export function Drop({ onFiles, children }: { onFiles: ((items: DataTransferItemList) => void) | undefined; children: ReactNode }) {
  const [over, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way beside the upload button.
    <div
      className="doc-drop"
      data-over={over && onFiles ? '' : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (onFiles) onFiles(event.dataTransfer.items)
        else notify.warning('这里不能上传，请先打开一个可以上传的目录')
      }}
    >
      {children}
    </div>
  )
}
