import { enables, isOn } from '@zhugong/contract/kit/enable'
import { Button } from 'antd'
import type { DangerQuestion } from './ask.ts'
import { confirmDanger } from './ask.ts'
import { type CallRights, Can } from './can.tsx'
import { Tag } from './feedback.tsx'
import type { RowAction } from './row-actions.tsx'

export const enableOptions = [
  { value: enables.on, label: '已启用' },
  { value: enables.off, label: '已停用' },
]

export const EnableTag = ({ enable }: { enable: string }) => (
  <Tag tone={isOn(enable) ? 'fine' : 'neutral'} icon={false}>
    {isOn(enable) ? '已启用' : '已停用'}
  </Tag>
)

/** 启用 and 停用 of one item. Switching off asks for confirmation and names the consequences; switching on does not. */
export interface Switch {
  enable: string
  needs: CallRights
  /** Confirmation before switching off. */
  question: DangerQuestion
  run: () => unknown
}

async function flip({ enable, question, run }: Switch): Promise<void> {
  if (!isOn(enable) || (await confirmDanger(question))) await run()
}

/** In a row. */
export const switchAction = (given: Switch): RowAction => ({
  label: isOn(given.enable) ? '停用' : '启用',
  danger: isOn(given.enable),
  needs: given.needs,
  onClick: () => flip(given),
})

/** The button for the header of a detail page. */
export const SwitchButton = (given: Switch) => (
  <Can call={given.needs}>
    <Button onClick={() => void flip(given)}>{isOn(given.enable) ? '停用' : '启用'}</Button>
  </Can>
)
