import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { changeDocument, type DocumentDetail, type DocumentRow, documentGrantees, getDocument } from '@zhugong/contract/documents/calls'
import { type GrantLevel, grantNames, mostGrants } from '@zhugong/contract/documents/moves'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, Known, Notice } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { uid } from '#kit/uid.ts'
import './documents.css'

interface Given {
  key: string
  /** Kind and id. */
  who: string
  level: string
}
const query = { projectCode: '*' }
const levels = Object.entries(grantNames).map(([value, label]) => ({ value, label }))

/** To whom a folder or document is open. */
export function ShareSheet({ row, onClose }: { row: Pick<DocumentRow, 'id' | 'name'>; onClose: () => void }) {
  const read = useCall(getDocument, { params: { id: row.id }, query }, { quiet: true })
  if (read.data) return <Sheet detail={read.data} onClose={onClose} />
  return (
    <PageDrawer open title={`共享 ${row.name}`} onClose={onClose}>
      <Known of={read}>
        <DetailSkeleton />
      </Known>
    </PageDrawer>
  )
}

function Sheet({ detail, onClose }: { detail: DocumentDetail; onClose: () => void }) {
  const [initial] = useState<Given[]>(() =>
    detail.grants
      .filter((one) => !(one.kind === 'user' && one.name === detail.ownerName))
      .map((one) => ({ key: uid(), who: `${one.kind} ${one.id}`, level: String(one.level) })),
  )
  const [given, setGiven] = useState(initial)
  const people = useCall(documentGrantees, { params: { id: detail.id }, query }, { quiet: true })
  const act = useAct(changeDocument, { success: '共享已保存', onDone: onClose })
  const options = (people.data?.list ?? []).map((one) => ({
    value: `${one.kind} ${one.id}`,
    label: one.kind === 'role' ? `角色：${one.name}` : `${one.name}（${one.groupName}）`,
  }))
  const set = (key: string, more: Partial<Given>) => setGiven((now) => now.map((one) => (one.key === key ? { ...one, ...more } : one)))
  const save = () =>
    act.run({
      params: { id: detail.id },
      query,
      body: {
        action: 'share',
        version: detail.version,
        grants: given.map(({ who, level }) => {
          const [kind = '', id = ''] = who.split(' ')
          return { kind: kind === 'role' ? 'role' : 'user', id, level: Number(level) as GrantLevel }
        }),
      },
    })
  return (
    <FormSheet
      title={`共享 ${detail.name}`}
      remark="上传人始终可以管理"
      saving={act.running}
      onSave={save}
      onClose={onClose}
      errors={act.fieldErrors}
      dirty={given !== initial}
    >
      <Notice tone="info">
        {given.length === 0
          ? '未指定对象：与所在目录相同，看得到目录的人都能看。'
          : `只有下列对象能看到${detail.isDir ? '这个文件夹和里面的内容' : '这份资料'}；下级目录只能再收窄。`}
      </Notice>
      {given.map((one, i) => (
        <div key={one.key} className="doc-grant" data-wrong={act.fieldErrors[`grants.${i}.id`] ? '' : undefined}>
          <div>
            <Choice
              aria-label={`第 ${i + 1} 个共享对象`}
              placeholder="人员或角色"
              clear={false}
              loading={people.isFetching}
              options={options}
              value={one.who}
              onChange={(who) => set(one.key, { who: who ?? '' })}
            />
            <span className="tone-danger">{act.fieldErrors[`grants.${i}.id`] ?? act.fieldErrors[`grants.${i}.level`]}</span>
          </div>
          <Choice
            aria-label={`第 ${i + 1} 个共享对象的权限`}
            clear={false}
            options={levels}
            value={one.level}
            onChange={(level) => set(one.key, { level: level ?? '1' })}
          />
          <Button
            icon={<DeleteOutlined />}
            aria-label={`移除第 ${i + 1} 个共享对象`}
            onClick={() => setGiven((now) => now.filter((other) => other.key !== one.key))}
          />
        </div>
      ))}
      {given.length < mostGrants && (
        <Button type="dashed" icon={<PlusOutlined />} onClick={() => setGiven((now) => [...now, { key: uid(), who: '', level: '1' }])}>
          添加人员或角色
        </Button>
      )}
    </FormSheet>
  )
}
