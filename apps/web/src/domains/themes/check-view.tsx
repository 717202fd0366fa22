import { PrinterOutlined } from '@ant-design/icons'
import { itemResults } from '@zhugong/contract/scoring/score'
import { getThemeCheck, removeThemeCheck, signThemeCheck, type ThemeDetail } from '@zhugong/contract/themes/calls'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Notice, Tag, type Tone } from '#kit/feedback.tsx'
import { hrefOf, useGo, usePage } from '#kit/page.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { Handling, WorkItem } from '#kit/work-item.tsx'
import { Course, Deadline, Facts, Notices, removalOf, StateTag } from '../checks/public.tsx'
import { NoticeHandling, NoticeProblems } from '../rectify/public.tsx'
import { anyProject, draftState, paths } from './theme-words.tsx'
import './themes.css'

/** One check of a campaign: what was found at each object, and its notices. */
export function CheckView({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getThemeCheck, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const print = usePrint('checksPSheet')
  const file = read.data
  const [chosen, setChosen] = useState<string>()
  const notice = chosen ?? file?.notices[0]?.id
  const isDraft = file?.state === draftState
  return (
    <WorkItem
      title={file && (file.code ?? '专项检查登记草稿')}
      tags={file && <StateTag row={file} />}
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '专项', value: <Link to={hrefOf(paths.detail, { id: file.campaignId })}>{file.title}</Link> },
              { label: '对象', value: `${file.objectCount} 个` },
              { label: '期限', value: <Deadline row={file} />, tone: file.overdueDays ? 'danger' : undefined },
              { label: '问题', value: file.problemCount ? `闭合 ${file.passedCount} / ${file.problemCount}` : '未发现' },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'checksPSheet', exportType: 'pdf', query: { id } } })}
          >
            打印记录表
          </Button>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            {isDraft ? <Draft file={file} /> : notice && <NoticeHandling id={notice} />}
            <Course file={file} />
          </>
        )
      }
    >
      {file && (
        <>
          {file.overdueDays > 0 && <Notice tone="danger">最早的期限已过 {file.overdueDays} 天。</Notice>}
          {file.objects.map((one) => (
            <ObjectResult key={one.key} object={one} />
          ))}
          <Notices file={file} chosen={notice} onChoose={setChosen} />
          {!isDraft && notice && <NoticeProblems key={notice} id={notice} />}
          {!isDraft && <SignaturesCard rows={file.signatures} call={signThemeCheck} id={file.id} />}
          <Facts file={file} />
        </>
      )}
    </WorkItem>
  )
}

function Draft({ file }: { file: ThemeDetail }) {
  const go = useGo()
  const page = usePage()
  const removal = useAct(removeThemeCheck, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const actions = file.actions.some((one) => one.action === 'submit')
    ? [
        { label: '继续检查', main: true, run: () => go(paths.form, { campaign: file.campaignId, id: file.id }) },
        {
          label: '删除草稿',
          danger: true,
          run: () => removal.afterRequesting(removalOf(file.part), { params: { id: file.id }, query: anyProject }),
        },
      ]
    : []
  return <Handling actions={actions} busy={removal.running} none="草稿由检查人提交" />
}

const tones: Readonly<Record<string, Tone>> = {
  [itemResults.right]: 'fine',
  [itemResults.wrong]: 'danger',
  [itemResults.notApplicable]: 'neutral',
  [itemResults.unchecked]: 'warning',
}

function ObjectResult({ object }: { object: ThemeDetail['objects'][number] }) {
  const wrong = object.items.filter((one) => one.result === itemResults.wrong).length
  return (
    <Card
      title={object.name}
      remark={`${object.registerName}${object.notApplicable === null ? `，${object.items.length} 条要点，不合格 ${wrong} 条` : ''}`}
    >
      {object.notApplicable !== null ? (
        <p>不涉及：{object.notApplicable}</p>
      ) : (
        <ul className="theme-lines">
          {object.items.map((one) => (
            <li key={one.itemCode}>
              <Tag tone={tones[one.result]}>{one.resultName}</Tag> {one.name}{' '}
              <span className="zg-2">{one.note ?? one.reason ?? one.requirement}</span>
              <div className="zg-row zg-wrap zg-gap-6">
                {one.photos.map((src) => (
                  <Thumb key={src} src={src} name={one.name} width={96} height={72} />
                ))}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
