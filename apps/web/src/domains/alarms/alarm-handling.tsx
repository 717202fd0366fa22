import { type AlarmAction, isRescue, isUrgeable, rescueOutcomeNames } from '@zhugong/contract/alarms/codes'
import { actOnAlarm, getAlarm, listAlarms } from '@zhugong/contract/alarms/endpoints'
import { Segmented } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { span, time } from '#kit/format.ts'
import { Evidence, Handling, type ItemAction, ItemPhotos, ItemText } from '#kit/work-item.tsx'
import type { AlarmFile } from './alarm-file.ts'
import { alarmNotice, UrgingMark, useNoticeForm } from './notice-form.tsx'

type Verdict = 'handle' | 'false' | 'ignore'
const verdicts: Record<Verdict, { label: string; ask: string; hint: string; least: number }> = {
  handle: { label: '已处理', ask: '措施', hint: '做了什么、由谁负责，至少 5 个字', least: 5 },
  false: { label: '误报', ask: '误报原因', hint: '为什么不是真的，用于改进规则', least: 2 },
  ignore: { label: '忽略', ask: '忽略原因', hint: '为什么不需要处理', least: 2 },
}
const submitWords: Record<Verdict, string> = { handle: '提交处理', false: '提交误报', ignore: '提交忽略' }
const isVerdict = (action: AlarmAction): action is Verdict => action in verdicts
/** Alarms that reached level 1 or 2 need a photo of the site to be handled. */
const levelsWithPhoto = 2

/** Actions on an alarm that the server allows the current user. */
export function AlarmHandling({ file }: { file: AlarmFile }) {
  const act = useAct(actOnAlarm, { success: '已提交', refreshes: [listAlarms, getAlarm] })
  const notice = useNoticeForm()
  const may = (action: AlarmAction) => file.actions.includes(action)
  const choices = file.actions.filter(isVerdict)
  const [verdict, setVerdict] = useState<Verdict>(choices[0] ?? 'handle')
  const [writing, setWriting] = useState(may('handle') && (file.state === 'acknowledged' || !may('ack')))
  const [text, setText] = useState('')
  const [photos, setPhotos] = useState<string[]>([])
  const [tried, setTried] = useState(false)
  const { ask, hint, least } = verdicts[verdict]
  const needsOutcome = verdict === 'handle' && isRescue(file)
  const [outcome, setOutcome] = useState<string>()
  const needsPhoto = verdict === 'handle' && file.maxLevel <= levelsWithPhoto
  const textProblem = text.trim().length < least ? `${ask}至少 ${least} 个字` : undefined
  const photoProblem = needsPhoto && photos.length === 0 ? '一级和二级告警须附现场照片' : undefined
  const outcomeProblem = needsOutcome && outcome === undefined ? '请选择人员情况' : undefined
  const send = (action: AlarmAction, more: { measure?: string; reason?: string; outcome?: string | undefined; photos?: string[] } = {}) =>
    act.run({ params: { id: file.id }, query: { projectCode: file.projectCode }, body: { action, version: file.version, ...more } })
  const submit = () => {
    setTried(true)
    if (textProblem || photoProblem || outcomeProblem) return
    return send(verdict, verdict === 'handle' ? { measure: text.trim(), photos, outcome } : { reason: text.trim() })
  }
  const sendWithReason = async (action: AlarmAction, title: string, label: string) => {
    const reason = await askReason(title, label)
    if (reason) await send(action, { reason })
  }
  const write = () => setWriting(true)
  const actions: (ItemAction | false)[] = [
    !writing && may('ack') && { label: '接单', main: true, run: () => send('ack') },
    !writing && may('ack') && choices.length > 0 && { label: '直接处理', run: write },
    writing && choices.length > 0 && { label: submitWords[verdict], main: verdict === 'handle', run: submit },
    !writing && !may('ack') && may('close') && { label: '关闭告警', main: true, run: () => send('close') },
    !writing && !may('handle') && may('false') && { label: '标记误报', run: write },
    notice.may && isUrgeable(file) && { label: '督办', run: () => notice.send(alarmNotice(file)) },
    may('reopen') && { label: '重新打开', run: () => sendWithReason('reopen', '重新打开告警', '原因') },
  ]
  const role = file.state === 'acknowledged' ? '接单人' : '处理人'
  return (
    <Handling
      remark={file.handlerName ? `${role} ${file.handlerName}${file.handleTime ? `，${time(file.handleTime)}` : ''}` : undefined}
      actions={actions.filter((one) => one !== false)}
      busy={act.running}
      none={file.state === 'open' ? '等待项目人员接单' : '处理已结束，可查看全部经过'}
    >
      {file.urging && (
        <p>
          <UrgingMark urging={file.urging} /> {file.urging.fromGroup} {file.urging.fromName}，期限 {time(file.urging.deadline)}
        </p>
      )}
      {isRescue(file) && file.outcome && <p>人员情况：{file.outcome}</p>}
      <Evidence text={file.measure} photos={file.photos} name="处置照片" />
      {choices.length > 0 && writing && (
        <div className="zg-work-form">
          {choices.length > 1 && (
            <Segmented
              block
              value={verdict}
              options={choices.map((value) => ({ value, label: verdicts[value].label }))}
              onChange={setVerdict}
            />
          )}
          {needsOutcome && (
            <>
              <Segmented
                block
                aria-label="人员情况"
                value={outcome ?? ''}
                options={rescueOutcomeNames.map((value) => ({ value, label: value }))}
                onChange={(value) => setOutcome(String(value))}
              />
              {tried && outcomeProblem && <small className="tone-danger">{outcomeProblem}</small>}
            </>
          )}
          <ItemText label={ask} hint={hint} value={text} onChange={setText} problem={tried ? textProblem : undefined} />
          {verdict === 'handle' && (
            <ItemPhotos
              label="现场照片"
              required={needsPhoto}
              value={photos}
              onChange={setPhotos}
              problem={tried ? photoProblem : undefined}
            />
          )}
        </div>
      )}
      {notice.form}
      {file.state === 'handled' && file.active && <p className="zg-2">条件恢复后可以关闭</p>}
      {file.state === 'open' && !may('ack') && file.active && (
        <p className="zg-2">已持续 {span(Date.now() - file.startTime)}，还没有人接单</p>
      )}
    </Handling>
  )
}
