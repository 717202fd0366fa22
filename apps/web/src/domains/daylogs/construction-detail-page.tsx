import { changeConstructionLog, getConstructionLog, removeConstructionLog } from '@zhugong/contract/daylogs/construction'
import { draftLog } from '@zhugong/contract/daylogs/moves'
import type { LogDetail } from '@zhugong/contract/daylogs/shapes'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Empty } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { LongText } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { LogFile } from './log-file.tsx'
import { anyProject, buildPaths } from './log-words.tsx'
import './daylogs.css'

const { Field } = formOf(changeConstructionLog)
type Body = BodyOf<typeof changeConstructionLog>

/** What happened at that place that day? */
export default function ConstructionDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择日志" hint="从施工日志打开一篇">
          <Button onClick={() => go(buildPaths.list)}>去施工日志</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Log key={id} id={id} />
    </div>
  )
}

function Log({ id }: { id: string }) {
  const go = useGo()
  const page = usePage()
  const read = useCall(getConstructionLog, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const act = useAct(changeConstructionLog, { success: '已办理' })
  const removal = useAct(removeConstructionLog, { success: '草稿已删除', onDone: () => page.leave(buildPaths.list) })
  const file = read.data
  const may = (action: string) => file?.actions.some((one) => one.action === action) ?? false
  const key = { params: { id }, query: anyProject }
  return (
    <LogFile
      file={file}
      error={read.error}
      retry={read.refetch}
      noun="施工日志"
      sheet="constructionSheet"
      side={may('comment') ? 'reader' : 'writer'}
      busy={act.running || removal.running}
      send={(body) => act.run({ ...key, body: { ...body, version: file?.version ?? 0 } })}
      actions={[
        ...(may('submit') || may('edit')
          ? [{ label: file?.state === draftLog ? '继续填写' : '修改', main: true, run: () => go(buildPaths.form, { id }) }]
          : []),
        ...(may('save')
          ? [
              {
                label: '删除草稿',
                danger: true,
                run: () =>
                  removal.afterRequesting(
                    { thing: `删除 ${file?.day ?? ''} 的日志草稿`, consequence: '草稿和其中的照片不再保留。', verb: '删除草稿' },
                    key,
                  ),
              },
            ]
          : []),
      ]}
    >
      {file && <Blocks file={file} may={may('block')} />}
    </LogFile>
  )
}

type Block = LogDetail['blocks'][number]

/** The parts of the day's work, each by its writer; several write at once. */
function Blocks({ file, may }: { file: LogDetail; may: boolean }) {
  const [open, setOpen] = useState<Block | 'new' | undefined>(undefined)
  const act = useAct(changeConstructionLog, { success: '分项已保存' })
  const block = open === 'new' ? undefined : open
  return (
    <Card
      title="分项"
      remark="每人填写自己的部位"
      actions={
        may && (
          <Button size="small" onClick={() => setOpen('new')}>
            补充分项
          </Button>
        )
      }
    >
      {file.blocks.length === 0 && <Empty small text="尚无分项" />}
      <ul className="log-lines">
        {file.blocks.map((one) => (
          <li key={one.id}>
            <b>{one.part}</b> {one.gang && <span className="zg-2">{one.gang}</span>}
            <p className="log-words">{one.content}</p>
            <span className="zg-2">
              {one.byName} {one.at.slice(0, 16)}
            </span>
            {may && one.own && (
              <Button size="small" type="link" aria-label={`修改 ${one.part}`} onClick={() => setOpen(one)}>
                修改
              </Button>
            )}
          </li>
        ))}
      </ul>
      {open && (
        <FormDrawer
          key={block?.id ?? 'new'}
          act={act}
          open
          title={block ? '修改分项' : '补充分项'}
          remark={`${file.day} ${file.unitName ?? ''}`}
          onClose={() => setOpen(undefined)}
          initial={{
            action: 'block',
            version: file.version,
            blockId: block?.id ?? null,
            part: block?.part,
            gang: block?.gang,
            content: block?.content,
          }}
          input={(body) => ({
            params: { id: file.id },
            query: anyProject,
            body: { ...(body as Body), action: 'block', version: file.version, blockId: block?.id ?? null } as Body,
          })}
        >
          <Field name="part" label="部位">
            <Input />
          </Field>
          <Field name="gang" label="班组">
            <Input />
          </Field>
          <Field name="content" label="完成情况" span="all">
            <LongText rows={3} />
          </Field>
        </FormDrawer>
      )}
    </Card>
  )
}
