import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { type getTemplate, updateTemplate } from '@zhugong/contract/screens/endpoints'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { Card, Tag } from '#kit/feedback.tsx'
import { PageModal } from '#kit/overlay.tsx'

type Template = OutputFor<typeof getTemplate>

export function PublishDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const [note, setNote] = useState('')
  const act = useAct(updateTemplate, { success: '已发布，墙屏一分钟内更新', onDone: onClose })
  return (
    <PageModal
      open
      title={`发布 ${template.name}`}
      okText="发布"
      confirmLoading={act.running}
      onCancel={onClose}
      onOk={() => void act.run({ params: { id: template.id }, body: { action: 'publish', note: note.trim(), version: template.version } })}
    >
      <p>
        {template.assignments.length
          ? `已分配给 ${template.assignments.map((one) => one.name).join('、')}，发布后一分钟内更新。`
          : '发布后本机构可以选用，分配后下级机构可以选用。'}
      </p>
      <Input.TextArea
        aria-label="发布说明"
        placeholder="发布说明，例如：告警排名换到右上"
        maxLength={200}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
    </PageModal>
  )
}

/** Published versions, and rolling back to one. */
export function Versions({ template, locked }: { template: Template; locked: boolean }) {
  const act = useAct(updateTemplate, { success: '已退回，墙屏一分钟内更新' })
  if (template.versions.length === 0) return null
  return (
    <Card title="发布记录">
      <ul className="screen-versions">
        {template.versions.map((one) => (
          <li key={one.version}>
            <b>第 {one.version} 版</b> {one.version === template.publishedVersion && <Tag tone="fine">在用</Tag>}
            {template.own && one.version !== template.publishedVersion && (
              <Can call={withCode(updateTemplate, 'screens.publish')}>
                <Button
                  type="link"
                  size="small"
                  disabled={locked}
                  title={locked ? '先保存或撤销未保存的改动' : undefined}
                  onClick={() =>
                    void act.afterRequesting(
                      {
                        thing: `把 ${template.name} 退回第 ${one.version} 版`,
                        consequence: '草稿和墙屏都变为这一版，现在的草稿不再保留。',
                        verb: '退回',
                        keep: '不退回',
                      },
                      { params: { id: template.id }, body: { action: 'rollback', to: one.version, version: template.version } },
                    )
                  }
                >
                  退回这一版
                </Button>
              </Can>
            )}
            <div className="zg-2">
              {one.time}，{one.byName}
              {one.note && `：${one.note}`}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
