import { draftLog, returnedLog } from '@zhugong/contract/daylogs/moves'
import { changeSafetyLog, getSafetyLog, removeSafetyLog } from '@zhugong/contract/daylogs/safety-log'
import { Button } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { Empty } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { LogFile } from './log-file.tsx'
import { anyProject, sitePaths } from './log-words.tsx'
import { Neighbours } from './neighbours.tsx'
import './daylogs.css'

/** What was written, and what did the supervisors answer? */
export default function SiteDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择日志" hint="从项目安全日志打开一篇">
          <Button onClick={() => go(sitePaths.list)}>去项目安全日志</Button>
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
  const read = useCall(getSafetyLog, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const act = useAct(changeSafetyLog, { success: '已办理' })
  const removal = useAct(removeSafetyLog, { success: '草稿已删除', onDone: () => page.leave(sitePaths.list) })
  const file = read.data
  const may = (action: string) => file?.actions.some((one) => one.action === action) ?? false
  const key = { params: { id }, query: anyProject }
  const writes = file?.state === draftLog ? '继续填写' : file?.state === returnedLog ? '修改并重新提交' : '修改'
  return (
    <LogFile
      file={file}
      error={read.error}
      retry={read.refetch}
      noun="安全日志"
      sheet="safetyPLogSheet"
      side="writer"
      busy={act.running || removal.running}
      send={(body) => act.run({ ...key, body: { ...body, version: file?.version ?? 0 } })}
      actions={[
        ...(may('submit') || may('edit') ? [{ label: writes, main: true, run: () => go(sitePaths.form, { id }) }] : []),
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
      aside={file && <Neighbours file={file} hrefFor={(other) => hrefOf(sitePaths.detail, { id: other })} />}
    />
  )
}
