import { type CampaignDetail, type CampaignTask, changeCampaign, removeTask } from '@zhugong/contract/campaigns/calls'
import { Button } from 'antd'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { Card, Empty, Tag } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { anywhere, keyOf, may } from './campaign-acts.ts'

/** The projects of a campaign with their groups; below them those that are no longer in, each with the reason. */
export function TaskList({ file }: { file: CampaignDetail }) {
  const act = useAct(changeCampaign, { success: '已分组' })
  const tasks = file.tasks.filter((one) => one.dropped === null)
  const dropped = file.tasks.filter((one) => one.dropped !== null)
  const assign = (list: { taskId: string; groupSeq: number }[]) =>
    act.run({ ...keyOf(file), body: { action: 'assign', version: file.version, tasks: list } })
  return (
    <Card
      title={`受检项目 ${tasks.length}`}
      remark={file.groups.map((group) => `${group.name} ${tasks.filter((one) => one.groupSeq === group.seq).length}`).join('，')}
      actions={
        may(file, 'assign') && tasks.some((one) => one.groupSeq === null) ? (
          <Button size="small" type="primary" loading={act.running} onClick={() => void assign([])}>
            自动分组
          </Button>
        ) : undefined
      }
      flush
    >
      {tasks.length === 0 ? (
        <Empty small text="还没有受检项目" hint="抽取，或在候选项目中指定加入" />
      ) : (
        <div className="campaign-scroll">
          <table className="campaign-table">
            <thead>
              <tr>
                <th>项目</th>
                <th>区划</th>
                <th>来源</th>
                <th>检查组</th>
                <th>
                  <span className="zg-visually-hidden">操作</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {tasks.map((task) => (
                <Line key={task.taskId} file={file} task={task} assign={assign} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {dropped.length > 0 && (
        <details className="campaign-dropped">
          <summary>不再受检 {dropped.length} 个</summary>
          <ul>
            {dropped.map((one) => (
              <li key={one.taskId}>
                {one.projectName} <span className="zg-2">{sourceWords(one)}</span>：{one.dropped}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}

const sourceWords = ({ sourceName, run, rank }: CampaignTask): string =>
  run === null ? sourceName : `第 ${run} 次${sourceName}第 ${rank ?? '--'} 号`

function Line({
  file,
  task,
  assign,
}: {
  file: CampaignDetail
  task: CampaignTask
  assign: (list: { taskId: string; groupSeq: number }[]) => Promise<unknown>
}) {
  const change = useAct(changeCampaign, { success: '已递补' })
  const drop = useAct(removeTask, { success: '已移出' })
  const replace = async () => {
    const reason = await askReason(`替换 ${task.projectName}`, '替换原因（至少 5 个字，公开保留）')
    if (reason) await change.run({ ...keyOf(file), body: { action: 'replace', version: file.version, taskId: task.taskId, reason } })
  }
  const options = file.groups.map(({ seq, name }) => {
    const conflict = task.conflicts.find((one) => one.groupSeq === seq)
    return { value: String(seq), label: conflict ? `${name}（${conflict.why}）` : name, disabled: conflict !== undefined }
  })
  return (
    <tr>
      <td>
        {task.projectName}
        {task.replaces && <div className="zg-2">递补 {task.replaces}</div>}
        {task.reason && <div className="zg-2">{task.reason}</div>}
      </td>
      <td>{task.areaName}</td>
      <td>
        <Tag tone={task.source === 'named' ? 'warning' : 'neutral'} icon={false}>
          {sourceWords(task)}
        </Tag>
      </td>
      <td>
        {may(file, 'assign') ? (
          <Choice
            clear={false}
            aria-label={`${task.projectName}的检查组`}
            placeholder="未分组"
            options={options}
            value={task.groupSeq === null ? undefined : String(task.groupSeq)}
            onChange={(seq) => void assign([{ taskId: task.taskId, groupSeq: Number(seq) }])}
          />
        ) : (
          (task.groupName ?? '--')
        )}
      </td>
      <td className="zg-nowrap">
        {may(file, 'addProjects') && task.source === 'named' && (
          <Button
            type="link"
            size="small"
            loading={drop.running}
            onClick={() => void drop.run({ params: { taskId: task.taskId }, query: anywhere })}
          >
            移出
          </Button>
        )}
        {may(file, 'replace') && (
          <Button type="link" size="small" loading={change.running} onClick={() => void replace()}>
            替换
          </Button>
        )}
      </td>
    </tr>
  )
}
