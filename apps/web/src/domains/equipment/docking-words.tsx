import { dockingAuths, dockingTypes, matchStates, runResults } from '@zhugong/contract/equipment/codes'
import { Tag, type Tone } from '#kit/feedback.tsx'

const optionsOf = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }))
export const dockingTypeOptions = optionsOf(dockingTypes)
export const dockingAuthOptions = optionsOf(dockingAuths)
export const runResultOptions = optionsOf(runResults)
export const matchOptions = optionsOf(matchStates)
export const dockingTypeName = (type: string): string => dockingTypes[type as keyof typeof dockingTypes] ?? type

const resultTones: Readonly<Record<string, Tone>> = { ok: 'fine', partial: 'warning', failed: 'danger', running: 'running' }
export const ResultTag = ({ result }: { result: string | null }) =>
  result === null ? (
    <span className="zg-2">--</span>
  ) : (
    <Tag tone={resultTones[result] ?? 'neutral'}>{runResults[result as keyof typeof runResults] ?? result}</Tag>
  )

const matchTones: Readonly<Record<string, Tone>> = { '1': 'fine', '2': 'warning', '3': 'warning', '4': 'neutral' }
export const MatchTag = ({ state }: { state: string }) => (
  <Tag tone={matchTones[state] ?? 'neutral'}>{matchStates[state as keyof typeof matchStates] ?? state}</Tag>
)
