import { changeDraw, type DrawDetail, type DrawSeat } from '@zhugong/contract/experts/draws'
import { Button, Table } from 'antd'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { Card } from '#kit/feedback.tsx'
import type { BodyOf } from '#kit/form.tsx'
import { ReplyTag } from './expert-words.tsx'

/** Rows of the reserve shown before it is asked for. */
const shownReserve = 5

/** Who was drawn, in order, with the answers; the reserve below. */
export function DrawSeats({ file, seats }: { file: DrawDetail; seats: readonly DrawSeat[] }) {
  const act = useAct(changeDraw, { success: '已登记' })
  const mayReply = file.actions.some((one) => one.action === 'reply')
  const send = (body: BodyOf<typeof changeDraw>) => void act.run({ params: { id: file.id }, query: { projectCode: '*' }, body })
  const refuse = async (seat: DrawSeat) => {
    const note = await askReason(`${seat.name} 拒绝`, '拒绝原因')
    if (note) send({ version: file.version, action: 'reply', seat: seat.id, answer: 'refused', note })
  }
  const next = async (seat: DrawSeat) => {
    const note = await askReason(`${seat.name} 无应答，顺延`, '顺延原因')
    if (note) send({ version: file.version, action: 'next', seat: seat.id, note })
  }
  return (
    <>
      {file.quotas.map((quota) => {
        const all = seats.filter((one) => one.specialty === quota.specialty)
        const called = all.filter((one) => one.reply !== 'standby')
        const waiting = all.filter((one) => one.reply === 'standby')
        return (
          <Card key={quota.specialty} title={quota.name} remark={`${quota.seats} 席，候补 ${waiting.length} 人`}>
            <Table<DrawSeat>
              size="small"
              rowKey="id"
              pagination={false}
              dataSource={[...called, ...waiting.slice(0, shownReserve)]}
              columns={[
                { title: '序', dataIndex: 'rank', width: 44 },
                { title: '姓名', dataIndex: 'name', width: 80 },
                { title: '单位', dataIndex: 'workUnit', ellipsis: true },
                { title: '手机', dataIndex: 'phone', width: 112 },
                { title: '答复', width: 104, render: (_, one) => <ReplyTag row={one} /> },
                {
                  title: '说明',
                  width: 168,
                  ellipsis: true,
                  render: (_, one) =>
                    one.note ??
                    (one.reply === 'invited' ? `${one.dueTime?.slice(5, 16) ?? ''} 前答复` : (one.replyTime?.slice(5, 16) ?? '')),
                },
                ...(mayReply
                  ? [
                      {
                        title: '操作',
                        width: 168,
                        render: (_: unknown, one: DrawSeat) => (
                          <span className="zg-row zg-gap-6">
                            {one.reply === 'invited' && (
                              <Button
                                size="small"
                                onClick={() =>
                                  send({ version: file.version, action: 'reply', seat: one.id, answer: 'accepted', note: null })
                                }
                              >
                                同意
                              </Button>
                            )}
                            {(one.reply === 'invited' || one.reply === 'accepted') && (
                              <Button size="small" onClick={() => void refuse(one)}>
                                拒绝
                              </Button>
                            )}
                            {one.reply === 'invited' && (
                              <Button size="small" onClick={() => void next(one)}>
                                顺延
                              </Button>
                            )}
                          </span>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
            {waiting.length > shownReserve && <p className="zg-2">另有候补 {waiting.length - shownReserve} 人，按序递补</p>}
          </Card>
        )
      })}
    </>
  )
}
