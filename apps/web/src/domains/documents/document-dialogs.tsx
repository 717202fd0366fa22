import { changeDocument, createDocumentFolder, type DocumentRow, listDocumentFolders } from '@zhugong/contract/documents/calls'
import { archiveCodes, type Security } from '@zhugong/contract/documents/moves'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { call, refresh, showFailure, useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Choice, TreeChoice } from '#kit/inputs.tsx'
import type { TreeOption } from '#kit/list-state.ts'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'
import { uid } from '#kit/uid.ts'
import type { Target } from './use-sending.ts'

const query = { projectCode: '*' }
interface Closing {
  onClose: () => void
}

/** A new folder, or another name. */
export function NameDialog({ row, target, onClose }: Closing & { row?: DocumentRow | undefined; target?: Target | undefined }) {
  const field = useId()
  const [name, setName] = useState(row?.name ?? '')
  const make = useAct(createDocumentFolder, { success: '文件夹已建立', onDone: onClose })
  const rename = useAct(changeDocument, { success: '已重命名', onDone: onClose })
  const act = row ? rename : make
  const save = () => {
    if (row) return rename.run({ params: { id: row.id }, query, body: { action: 'rename', version: row.version, name } })
    if (!target) return undefined
    const { projectCode, space, parentId } = target
    return make.run({ query: { projectCode }, body: { id: uid(), name, space, parentId } })
  }
  return (
    <PageModal
      open
      title={row ? `重命名 ${row.name}` : '新建文件夹'}
      okText="保存"
      cancelText="取消"
      okButtonProps={{ disabled: name.trim() === '' }}
      confirmLoading={act.running}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <label htmlFor={field}>名称</label>
      <Input
        id={field}
        value={name}
        maxLength={200}
        status={act.fieldErrors.name ? 'error' : undefined}
        onChange={(event) => setName(event.target.value)}
        onPressEnter={() => void save()}
      />
      <span className="tone-danger" role="status">
        {act.fieldErrors.name}
      </span>
    </PageModal>
  )
}

export const rootKey = '*'

/** The folders of a root in which the caller may put something. */
export function FolderChoice({
  row,
  value,
  onChange,
}: {
  row: Pick<DocumentRow, 'projectCode'>
  value: string
  onChange: (id: string) => void
}) {
  const field = useId()
  const space = row.projectCode === null ? 'own' : 'project'
  const read = useCall(listDocumentFolders, { query: { projectCode: row.projectCode ?? '*', space } }, { quiet: true })
  const folders = read.data?.folders ?? []
  const below = (id: string | null): TreeOption[] =>
    folders
      .filter((one) => one.parentId === id)
      .map((one) => ({ value: one.id, label: one.adds ? one.name : `${one.name}（只能查看）`, children: below(one.id) }))
  const tree: TreeOption[] = [{ value: rootKey, label: space === 'own' ? '我的文档' : '项目文档', children: below(null) }]
  return (
    <>
      <label htmlFor={field}>目标目录</label>
      <TreeChoice id={field} tree={tree} value={value} onChange={(id) => onChange(id ?? rootKey)} />
    </>
  )
}

/** Moves documents of one root, one after another; what could not be moved says why. */
export function MoveDialog({ rows, onClose }: Closing & { rows: readonly DocumentRow[] }) {
  const [to, setTo] = useState(rootKey)
  const [running, setRunning] = useState(false)
  const [first] = rows
  const mixed = rows.some((one) => one.projectCode !== first?.projectCode)
  if (!first) return null
  const save = async () => {
    setRunning(true)
    let moved = 0
    for (const { id, version } of rows) {
      const body = { action: 'move' as const, version, to: to === rootKey ? null : to }
      const done = await call(changeDocument, { params: { id }, query, body }).then(
        () => true,
        (error: unknown) => {
          showFailure(error)
          return false
        },
      )
      if (done) moved++
    }
    setRunning(false)
    refresh(listDocumentFolders, { method: 'GET', path: changeDocument.path.replace('/:id', '') })
    if (moved > 0) notify.success(`已移动 ${moved} 项`)
    onClose()
  }
  return (
    <PageModal
      open
      title={rows.length === 1 ? `移动 ${first.name}` : `移动 ${rows.length} 项`}
      okText="移动"
      cancelText="取消"
      okButtonProps={{ disabled: mixed }}
      confirmLoading={running}
      onOk={() => void save()}
      onCancel={onClose}
    >
      {mixed ? '所选资料属于不同项目，请分别移动。' : <FolderChoice row={first} value={to} onChange={setTo} />}
    </PageModal>
  )
}

/** Into a library, or to another level of secrecy. */
export function ChoiceDialog({ row, what, onClose }: Closing & { row: DocumentRow; what: 'archive' | 'security' }) {
  const field = useId()
  const dicts = useDicts('documentCategory', 'docSecurityLevel')
  const [chosen, setChosen] = useState<string | undefined>(what === 'security' ? row.security : undefined)
  const act = useAct(changeDocument, { success: what === 'archive' ? '已归档' : '密级已修改', onDone: onClose })
  const libraries: readonly string[] = archiveCodes
  const options =
    what === 'archive'
      ? dicts.options('documentCategory').filter((one) => libraries.includes(one.value))
      : dicts.options('docSecurityLevel')
  const { id, version } = row
  const save = () =>
    act.run({
      params: { id },
      query,
      body:
        what === 'archive'
          ? { action: 'archive', version, category: chosen as (typeof archiveCodes)[number] }
          : { action: 'security', version, security: chosen as Security },
    })
  return (
    <PageModal
      open
      title={what === 'archive' ? `归档 ${row.name}` : `${row.name} 的密级`}
      okText={what === 'archive' ? '归档' : '保存'}
      cancelText="取消"
      okButtonProps={{ disabled: !chosen }}
      confirmLoading={act.running}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <label htmlFor={field}>{what === 'archive' ? '归入资料库' : '密级'}</label>
      <Choice id={field} options={options} clear={false} value={chosen} onChange={setChosen} />
      <p className="zg-2">
        {what === 'archive'
          ? '归档后不能再修改、换版本或删除。'
          : '公开：看得到项目的都能看；内部：监管机构看不到；受限：只有上传人和共享对象，查看和下载都有记录。'}
      </p>
    </PageModal>
  )
}
