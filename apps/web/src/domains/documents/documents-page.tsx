import { FolderAddOutlined, UploadOutlined } from '@ant-design/icons'
import {
  changeDocument,
  createDocument,
  createDocumentFolder,
  type DocumentRow,
  documentList,
  listDocumentFolders,
  listDocuments,
  openDocument,
  removeDocument,
  type Space,
  spaces,
  starDocument,
  zipDocuments,
} from '@zhugong/contract/documents/calls'
import { keptDays } from '@zhugong/contract/documents/moves'
import { Button, Dropdown } from 'antd'
import { useRef, useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { call, callBlob, refresh, saveAddress, saveBlob, showFailure, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { storeFile } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { usePageQuery } from '#kit/page.tsx'
import { useColumns } from './document-columns.tsx'
import { ChoiceDialog, MoveDialog, NameDialog } from './document-dialogs.tsx'
import { DocumentDrawer } from './document-drawer.tsx'
import { Drop, Spaces, useOpenPlace } from './document-spaces.tsx'
import { acceptedFiles } from './document-words.tsx'
import { chosenFiles, droppedFiles } from './dropped.ts'
import { type Opened, Preview } from './preview.tsx'
import { SendingPanel, TakenDialog } from './sending-panel.tsx'
import { ShareSheet } from './share-sheet.tsx'
import { type Target, useSending } from './use-sending.ts'
import './documents.css'

type Doing =
  | { row: DocumentRow; what: 'rename' | 'share' | 'security' | 'archive' | 'detail' }
  | { rows: readonly DocumentRow[]; what: 'move' }
  | { what: 'folder' }
const everywhere = { projectCode: '*' }
const isSpace = (value: string | null | undefined): value is Space => value !== null && value !== undefined && value in spaces
/** Spaces without folders of their own: each row says where it lies. */
const flat: readonly Space[] = ['shared', 'recent', 'starred']

/** Working files of one's own and of the projects: where is the drawing of last week? */
export default function DocumentsPage() {
  const header = useProjectCode()
  const pageQuery = usePageQuery()
  const chosen = pageQuery.get('project') ?? header
  const list = useListPage(documentList, {
    scope: { projectCode: chosen },
    defaultSort: '-updateTime',
    tabs: ['space', 'parentId'],
    own: ['project'],
  })
  const space = isSpace(list.filters.space) ? list.filters.space : 'own'
  const parentId = list.filters.parentId ?? null
  const page = useCall(
    listDocuments,
    { query: { projectCode: chosen, space, parentId: parentId ?? undefined, size: 1 } },
    { quiet: true, keepPrevious: true },
  )
  const adds = page.data?.adds ?? []
  const trail = page.data?.trail ?? []
  const target: Target | undefined =
    adds.includes('upload') && !flat.includes(space)
      ? { projectCode: chosen, space: space === 'project' ? 'project' : 'own', parentId, depth: trail.length }
      : undefined
  const sending = useSending(target)
  const [doing, setDoing] = useState<Doing>()
  const [shown, setShown] = useState<Opened>()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const fresh = useRef<{ input: HTMLInputElement | null; row?: DocumentRow }>({ input: null })
  const close = () => setDoing(undefined)
  const go = useOpenPlace()

  const open = async (id: string, what: 'view' | 'download', no?: number) => {
    try {
      const file = await call(openDocument, { params: { id }, query: everywhere, body: { what, no } })
      if (what === 'view' && file.preview) return setShown(file)
      if (what === 'view') notify.info('该格式不支持在线预览，已下载')
      saveAddress(file.url, file.name)
    } catch (error) {
      showFailure(error)
    }
  }
  const enter = (row: DocumentRow) => {
    if (!row.isDir) return void open(row.id, 'view')
    go(row.projectCode === null ? space : 'project', row.id, row.projectCode ?? undefined)
  }
  const removal = useAct(removeDocument, { success: '已移到回收站' })
  const star = useAct(starDocument, { success: false })
  const remove = (row: DocumentRow) =>
    removal.afterRequesting(
      { thing: `删除 ${row.name}`, consequence: `移到回收站，${keptDays} 天内可以还原。`, verb: '删除' },
      { params: { id: row.id }, query: { ...everywhere, version: row.version } },
    )
  const removeAll = async (rows: readonly DocumentRow[], clear: () => void) => {
    if (!(await confirmDanger({ thing: `删除 ${rows.length} 项`, consequence: `移到回收站，${keptDays} 天内可以还原。`, verb: '删除' })))
      return
    for (const { id, version } of rows) await call(removeDocument, { params: { id }, query: { ...everywhere, version } }).catch(showFailure)
    refresh(listDocuments, listDocumentFolders)
    clear()
  }
  const pack = async (rows: readonly DocumentRow[]) => {
    try {
      saveBlob(await callBlob(zipDocuments, { query: { ...everywhere, ids: rows.map((one) => one.id).join(',') } }))
    } catch (error) {
      showFailure(error)
    }
  }
  const newVersion = async (row: DocumentRow, file: File) => {
    try {
      const fileId = await storeFile(file)
      await call(changeDocument, {
        params: { id: row.id },
        query: everywhere,
        body: { action: 'newVersion', version: row.version, fileId },
      })
      notify.success(`${row.name} 已有新版本`)
      refresh(listDocuments)
    } catch (error) {
      showFailure(error)
    }
  }
  const columns = useColumns(enter).filter(({ key }) => key !== 'path' || flat.includes(space) || Boolean(list.filters.keyword))
  return (
    <ListShell
      left={<Spaces space={space} parentId={parentId} projectCode={chosen} quota={page.data?.quota} />}
      actions={
        target && (
          <>
            <Can call={createDocument}>
              <Dropdown.Button
                type="primary"
                menu={{ items: [{ key: 'folder', label: '上传文件夹', onClick: () => folder.current?.click() }] }}
                onClick={() => files.current?.click()}
              >
                <UploadOutlined /> 上传
              </Dropdown.Button>
            </Can>
            <Can call={createDocumentFolder}>
              <Button icon={<FolderAddOutlined />} onClick={() => setDoing({ what: 'folder' })}>
                新建文件夹
              </Button>
            </Can>
          </>
        )
      }
      above={
        <>
          {!flat.includes(space) && (
            <nav aria-label="当前位置">
              <ol className="doc-trail">
                <li>
                  <button
                    type="button"
                    className="zg-bare zg-link"
                    onClick={() => go(space, undefined, pageQuery.get('project') ?? undefined)}
                  >
                    {spaces[space]}
                  </button>
                </li>
                {trail.map((one) => (
                  <li key={one.id}>
                    <button
                      type="button"
                      className="zg-bare zg-link"
                      onClick={() => go(space, one.id, pageQuery.get('project') ?? undefined)}
                    >
                      {one.name}
                    </button>
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <SendingPanel lines={sending.lines} onClear={sending.clear} />
        </>
      }
    >
      <Drop onFiles={target ? (items) => void droppedFiles(items).then(sending.send) : undefined}>
        <DataTable
          list={list}
          columns={columns}
          unit="项"
          search={{ key: 'keyword', placeholder: '在所有目录中找名称或位置' }}
          onRow={enter}
          emptyHint={target ? '把文件或整个文件夹拖到这里，或点“上传”' : '从左侧选择目录'}
          selection={{
            unit: '项',
            actions: (rows, clear) => (
              <>
                <Button onClick={() => void pack(rows)}>打包下载</Button>
                {rows.every((one) => one.actions.includes('move')) && (
                  <Button
                    onClick={() => {
                      setDoing({ rows, what: 'move' })
                      clear()
                    }}
                  >
                    移动
                  </Button>
                )}
                {rows.every((one) => one.actions.includes('delete')) && (
                  <Button danger onClick={() => void removeAll(rows, clear)}>
                    删除
                  </Button>
                )}
              </>
            ),
          }}
          actions={(row) => {
            const may = (action: string) => row.actions.includes(action)
            return [
              { label: row.isDir ? '打开' : '查看', onClick: () => enter(row) },
              may('download') && { label: '下载', onClick: () => void open(row.id, 'download') },
              row.isDir && { label: '打包下载', onClick: () => void pack([row]) },
              may('newVersion') && {
                label: '上传新版本',
                onClick: () => {
                  fresh.current.row = row
                  fresh.current.input?.click()
                },
              },
              { label: row.isDir ? '详情' : '版本与记录', onClick: () => setDoing({ row, what: 'detail' }) },
              may('rename') && { label: '重命名', onClick: () => setDoing({ row, what: 'rename' }) },
              may('move') && { label: '移动', onClick: () => setDoing({ rows: [row], what: 'move' }) },
              may('share') && { label: '共享', onClick: () => setDoing({ row, what: 'share' }) },
              may('security') && { label: '密级', onClick: () => setDoing({ row, what: 'security' }) },
              may('archive') && { label: '归档', onClick: () => setDoing({ row, what: 'archive' }) },
              {
                label: row.starred ? '取消收藏' : '收藏',
                onClick: () => void star.run({ params: { id: row.id }, query: everywhere, body: { starred: !row.starred } }),
              },
              (may('delete') || row.kept !== null) && {
                label: '删除',
                danger: true,
                needs: removeDocument,
                disabled: row.kept ?? undefined,
                onClick: () => void remove(row),
              },
            ]
          }}
        />
      </Drop>
      <input
        ref={files}
        type="file"
        hidden
        multiple
        accept={acceptedFiles}
        aria-label="选择要上传的文件"
        onChange={(event) => {
          sending.send(chosenFiles([...(event.target.files ?? [])]))
          event.target.value = ''
        }}
      />
      <input
        ref={(input) => {
          folder.current = input
          input?.setAttribute('webkitdirectory', '')
        }}
        type="file"
        hidden
        aria-label="选择要上传的文件夹"
        onChange={(event) => {
          sending.send(chosenFiles([...(event.target.files ?? [])]))
          event.target.value = ''
        }}
      />
      <input
        ref={(input) => {
          fresh.current.input = input
        }}
        type="file"
        hidden
        accept={acceptedFiles}
        aria-label="选择新版本的文件"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file && fresh.current.row) void newVersion(fresh.current.row, file)
          event.target.value = ''
        }}
      />
      {sending.question && <TakenDialog question={sending.question} />}
      {doing?.what === 'folder' && <NameDialog target={target} onClose={close} />}
      {doing?.what === 'rename' && <NameDialog row={doing.row} onClose={close} />}
      {doing?.what === 'move' && <MoveDialog rows={doing.rows} onClose={close} />}
      {doing?.what === 'share' && <ShareSheet row={doing.row} onClose={close} />}
      {(doing?.what === 'security' || doing?.what === 'archive') && <ChoiceDialog row={doing.row} what={doing.what} onClose={close} />}
      {doing?.what === 'detail' && <DocumentDrawer row={doing.row} onOpen={(id, what, no) => void open(id, what, no)} onClose={close} />}
      {shown && <Preview file={shown} onHide={() => setShown(undefined)} />}
    </ListShell>
  )
}
