/** What differs between a model and a case of `step_cases.py`, in words. */
export function complaintsAbout(model: object, testCase: { name: string }): string[];
