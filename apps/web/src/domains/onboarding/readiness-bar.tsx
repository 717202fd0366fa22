import { onboardingSteps, type StepKey, type StepState, stepStates } from '@zhugong/contract/onboarding/steps'
import { stepsSaid } from './step-words.ts'

/** Seven steps as seven segments; the text is in the title and the accessible label. */
export function ReadinessBar({ readiness, steps }: { readiness: number; steps: readonly { key: StepKey; state: StepState }[] }) {
  return (
    <div className="onb-bar">
      <div className="pieces" role="img" aria-label={stepsSaid(steps)}>
        {steps.map(({ key, state }) => (
          <span key={key} className={`piece ${state}`} title={`${onboardingSteps[key]}：${stepStates[state]}`} />
        ))}
      </div>
      <b className={readiness === 100 ? 'tone-fine' : ''}>{readiness}%</b>
    </div>
  )
}
